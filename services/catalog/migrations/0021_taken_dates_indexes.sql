-- outside a transaction: builds indexes without blocking writes. A page with dates reads the taken dates of every tool
-- it passes, so the index covers all columns that it needs.
DROP INDEX CONCURRENTLY IF EXISTS tool_bookings_taken;
CREATE INDEX CONCURRENTLY tool_bookings_taken ON tool_bookings (tool_id, ends_at) INCLUDE (starts_at, units)
  WHERE returned_at IS NULL AND cancelled_at IS NULL AND (booked_at IS NOT NULL OR expired_at IS NULL);
DROP INDEX CONCURRENTLY IF EXISTS tool_bookings_dated;
CREATE INDEX CONCURRENTLY tool_bookings_dated ON tool_bookings (ends_at) WHERE ends_at IS NOT NULL;
