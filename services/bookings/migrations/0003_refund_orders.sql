-- Refunds that this service has decided, one row per payment and decision. Payments reads them before it sends money, so a forged
-- event moves none, and compares all of them regularly, so a lost event is found.
CREATE TABLE refund_orders (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  payment_id uuid NOT NULL REFERENCES payments,
  -- Null for the part of a payment that is not allocated to a booking.
  booking_id uuid REFERENCES bookings,
  refund_cents integer NOT NULL CHECK (refund_cents > 0),
  reason text NOT NULL,
  tool_names text[] NOT NULL,
  ordered_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX refund_orders_of_payment ON refund_orders (payment_id);
CREATE INDEX refund_orders_by_time ON refund_orders (ordered_at);

-- Includes refunds without an order: those decided before this table existed, and by older replicas during the upgrade.
CREATE VIEW refunds_owed AS
SELECT payment_id, booking_id, refund_cents, reason, tool_names, ordered_at FROM refund_orders
UNION ALL
SELECT p.id, NULL, p.rejected_cents, CASE WHEN p.hold_id IS NULL THEN 'unassigned' ELSE 'slot-lost' END,
  ARRAY(SELECT b.name FROM bookings b WHERE b.hold_id = p.hold_id ORDER BY b.id), p.recorded_at
FROM payments p
WHERE p.rejected_cents > 0
  AND NOT EXISTS (SELECT FROM refund_orders o WHERE o.payment_id = p.id AND o.booking_id IS NULL)
UNION ALL
SELECT d.payment_id, d.booking_id, d.refunded_cents, 'cancelled', ARRAY[b.name], b.cancelled_at
FROM draws d JOIN bookings b ON b.id = d.booking_id
WHERE d.refunded_cents > 0 AND b.status = 'cancelled'
  AND NOT EXISTS (
    SELECT FROM refund_orders o WHERE o.payment_id = d.payment_id AND o.booking_id = d.booking_id);

INSERT INTO reconciliations (name, next_at, reached_at) VALUES ('payments', now(), to_timestamp(0));
