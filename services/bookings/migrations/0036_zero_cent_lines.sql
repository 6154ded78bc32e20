-- A line may cost 0 cents: a discount of a tool for a cent a day. Its allocation keeps the booking with the payment of its cart, in a dispute
-- too. `draws` still checks that an amount is not negative, by its refunded part.
ALTER TABLE draws DROP CONSTRAINT draws_amount_cents_check;

-- As before, but a payment of which only such lines draw divides by 1.
CREATE OR REPLACE VIEW draw_balances AS
SELECT d.payment_id, d.booking_id, d.amount_cents, d.refunded_cents,
  least(d.amount_cents * greatest(0, p.outside_cents - s.free) / s.drawn, d.amount_cents - d.refunded_cents)::int
    AS outside_cents,
  greatest(0, least(
    d.amount_cents - d.refunded_cents
      - d.amount_cents * greatest(0, p.outside_cents + p.disputed_cents - s.free) / s.drawn,
    s.rest - p.outside_cents - p.disputed_cents))::int AS left_cents,
  greatest(0, least(
    d.amount_cents - d.refunded_cents
      - d.amount_cents * greatest(0, p.outside_cents + s.lost - s.free) / s.drawn,
    s.rest - p.outside_cents - s.lost))::int AS returnable_cents
FROM draws d
JOIN payments p ON p.id = d.payment_id
CROSS JOIN LATERAL (
  SELECT greatest(1, sum(all_draws.amount_cents)) AS drawn,
    p.amount_cents - sum(all_draws.amount_cents) - p.rejected_cents AS free,
    p.amount_cents - sum(all_draws.refunded_cents) - p.rejected_cents AS rest,
    greatest(0, p.disputed_cents - p.held_cents) AS lost
  FROM draws all_draws WHERE all_draws.payment_id = p.id) s;
