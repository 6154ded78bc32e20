-- outside a transaction: builds the indexes of the purges without blocking writes.
DROP INDEX CONCURRENTLY IF EXISTS tool_bookings_never_paid;
CREATE INDEX CONCURRENTLY tool_bookings_never_paid ON tool_bookings ((coalesce(expired_at, held_at)))
  WHERE booked_at IS NULL AND returned_at IS NULL AND cancelled_at IS NULL;
DROP INDEX CONCURRENTLY IF EXISTS tools_removed;
CREATE INDEX CONCURRENTLY tools_removed ON tools (removed_at) WHERE removed_at IS NOT NULL;
