-- Older replicas cancel a booking without a refund order. The view lists such a refund too: what was refunded of a
-- cancelled booking beyond its orders. Before, an admin's order for the same booking hid it.
CREATE OR REPLACE VIEW refunds_owed AS
SELECT payment_id, booking_id, refund_cents, reason, tool_names, ordered_at, grant_id FROM refund_orders
UNION ALL
SELECT p.id, NULL, p.rejected_cents, CASE WHEN p.hold_id IS NULL THEN 'unassigned' ELSE 'slot-lost' END,
  ARRAY(SELECT b.name FROM bookings b WHERE b.hold_id = p.hold_id ORDER BY b.id), p.recorded_at, NULL
FROM payments p
WHERE p.rejected_cents > 0
  AND NOT EXISTS (SELECT FROM refund_orders o WHERE o.payment_id = p.id AND o.booking_id IS NULL)
UNION ALL
SELECT d.payment_id, d.booking_id, d.refunded_cents - ordered.cents, 'cancelled', ARRAY[b.name], b.cancelled_at, NULL
FROM draws d JOIN bookings b ON b.id = d.booking_id
CROSS JOIN LATERAL (
  SELECT coalesce(sum(o.refund_cents), 0)::int AS cents FROM refund_orders o
  WHERE o.payment_id = d.payment_id AND o.booking_id = d.booking_id) ordered
WHERE b.status = 'cancelled' AND d.refunded_cents > ordered.cents;
