-- What this service has decided to give back, one row for each payment of each decision. Payments asks for it before it
-- sends money, and now and then for all of it, so that no event can be forged and none be lost.
CREATE TABLE refund_orders (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  payment_id uuid NOT NULL REFERENCES payments,
  -- Null where no booking stands for the money.
  booking_id uuid REFERENCES bookings,
  refund_cents integer NOT NULL CHECK (refund_cents > 0),
  reason text NOT NULL,
  tool_names text[] NOT NULL,
  ordered_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX refund_orders_of_payment ON refund_orders (payment_id);
CREATE INDEX refund_orders_by_time ON refund_orders (ordered_at);

-- With what was decided before there were orders, and by replicas of the version before this one while both run.
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
