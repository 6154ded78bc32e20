-- A line may cost 0 cents, by a discount on a tool for a cent a day. Its allocation of 0 links the booking to the payment of its cart,
-- for example in a dispute. The CHECK on `refunded_cents` still prevents negative amounts.
ALTER TABLE draws DROP CONSTRAINT draws_amount_cents_check;

-- Avoids a division by 0 for a payment with only such lines.
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
