-- Of `disputed_cents`, what a bank only holds and gives back if the dispute is won; the rest is lost. Replicas of the
-- version before this one do not write it.
ALTER TABLE payments ADD COLUMN held_cents integer NOT NULL DEFAULT 0 CHECK (held_cents >= 0);

-- What was refunded in the dashboard, or is disputed, comes first out of the part of a payment that no booking draws on and
-- that did not go back: `rejectPayment` has taken it off there. Only what exceeds that part is shared by the bookings, by
-- price. `left_cents` is what is there; `returnable_cents` counts what a bank holds as well, and may be promised, since
-- payments sends it once the dispute is won.
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
