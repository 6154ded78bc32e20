-- What happened to a payment at Stripe besides our own refunds, as of `stripe_version`: `outside_cents` were refunded in Stripe's
-- dashboard; `disputed_cents` are held by a bank or lost in a dispute.
ALTER TABLE payments
  ADD COLUMN stripe_version integer NOT NULL DEFAULT 0,
  ADD COLUMN outside_cents integer NOT NULL DEFAULT 0 CHECK (outside_cents >= 0),
  ADD COLUMN disputed_cents integer NOT NULL DEFAULT 0 CHECK (disputed_cents >= 0),
  ADD COLUMN dispute text CHECK (dispute IN ('inquiry', 'open', 'won', 'lost'));

-- Refunds by admins: who, when, why.
CREATE TABLE booking_refunds (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  booking_id uuid NOT NULL REFERENCES bookings,
  admin_id uuid NOT NULL,
  amount_cents integer NOT NULL CHECK (amount_cents > 0),
  reason text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX booking_refunds_of_booking ON booking_refunds (booking_id);

-- Identifies an admin's refund, because a booking may have several.
ALTER TABLE refund_orders ADD COLUMN grant_id uuid REFERENCES booking_refunds;
CREATE OR REPLACE VIEW refunds_owed AS
SELECT payment_id, booking_id, refund_cents, reason, tool_names, ordered_at, grant_id FROM refund_orders
UNION ALL
SELECT p.id, NULL, p.rejected_cents, CASE WHEN p.hold_id IS NULL THEN 'unassigned' ELSE 'slot-lost' END,
  ARRAY(SELECT b.name FROM bookings b WHERE b.hold_id = p.hold_id ORDER BY b.id), p.recorded_at, NULL
FROM payments p
WHERE p.rejected_cents > 0
  AND NOT EXISTS (SELECT FROM refund_orders o WHERE o.payment_id = p.id AND o.booking_id IS NULL)
UNION ALL
SELECT d.payment_id, d.booking_id, d.refunded_cents, 'cancelled', ARRAY[b.name], b.cancelled_at, NULL
FROM draws d JOIN bookings b ON b.id = d.booking_id
WHERE d.refunded_cents > 0 AND b.status = 'cancelled'
  AND NOT EXISTS (
    SELECT FROM refund_orders o WHERE o.payment_id = d.payment_id AND o.booking_id = d.booking_id);

-- What was refunded of each allocation, and what can still be. Stripe does not say for which booking of a cart it refunded a
-- payment, so each booking takes a share by price. `left_cents` is also limited by what is left of the whole payment, because a refund
-- in the dashboard may follow the full refund of one of the bookings.
CREATE VIEW draw_balances AS
SELECT d.payment_id, d.booking_id, d.amount_cents, d.refunded_cents,
  least(d.amount_cents::bigint * p.outside_cents / p.amount_cents, d.amount_cents - d.refunded_cents)::int
    AS outside_cents,
  greatest(0, least(
    d.amount_cents - d.refunded_cents
      - d.amount_cents::bigint * (p.outside_cents + p.disputed_cents) / p.amount_cents,
    p.amount_cents - p.rejected_cents - p.outside_cents - p.disputed_cents
      - (SELECT sum(refunded_cents) FROM draws WHERE payment_id = p.id)))::int AS left_cents
FROM draws d JOIN payments p ON p.id = d.payment_id;
