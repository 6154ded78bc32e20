-- The part of `disputed_cents` that a bank holds and returns if the dispute is won; the rest is lost. Older replicas do not write
-- it.
ALTER TABLE payments ADD COLUMN held_cents integer NOT NULL DEFAULT 0 CHECK (held_cents >= 0);

-- Refunds in the dashboard and disputes are taken from the unallocated, unrefunded part of a payment first, because `rejectPayment`
-- subtracts them there. The bookings share only the excess, by price. `left_cents` is available now. `returnable_cents` also counts
-- what a bank holds: it may be ordered, because payments sends it once the dispute is won.
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
  SELECT sum(all_draws.amount_cents) AS drawn,
    p.amount_cents - sum(all_draws.amount_cents) - p.rejected_cents AS free,
    p.amount_cents - sum(all_draws.refunded_cents) - p.rejected_cents AS rest,
    greatest(0, p.disputed_cents - p.held_cents) AS lost
  FROM draws all_draws WHERE all_draws.payment_id = p.id) s;
