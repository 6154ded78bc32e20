-- outside a transaction: builds indexes without blocking writes. For `end-changes`, which runs once a second.
DROP INDEX CONCURRENTLY IF EXISTS holds_open_of_changes;
CREATE INDEX CONCURRENTLY holds_open_of_changes ON holds (id)
  WHERE changes_booking_id IS NOT NULL AND status IN ('live', 'requested');
-- For the purge of changes.
DROP INDEX CONCURRENTLY IF EXISTS booking_changes_to_purge;
CREATE INDEX CONCURRENTLY booking_changes_to_purge ON booking_changes (answer_by) WHERE status = 'ended' AND hold_id IS NULL;
-- For the second and third part of `refunds_owed`, and for what cancelled bookings add to the revenue.
DROP INDEX CONCURRENTLY IF EXISTS payments_rejected;
CREATE INDEX CONCURRENTLY payments_rejected ON payments (recorded_at) WHERE rejected_cents > 0;
DROP INDEX CONCURRENTLY IF EXISTS bookings_cancelled;
CREATE INDEX CONCURRENTLY bookings_cancelled ON bookings (cancelled_at) INCLUDE (id, booked_at, cancellation_policy)
  WHERE status = 'cancelled';
