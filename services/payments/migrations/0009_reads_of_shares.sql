-- outside a transaction
DROP INDEX CONCURRENTLY IF EXISTS payments_unread;
-- Payments whose shares were not read with their commission and release yet: those of before 1.2.0.
CREATE INDEX CONCURRENTLY payments_unread ON payments (succeeded_at, id)
  WHERE succeeded_at IS NOT NULL AND intent_id IS NOT NULL AND shares_read_at IS NULL;
-- Nothing reads it any more.
DROP INDEX CONCURRENTLY IF EXISTS payments_unfollowed;
DROP INDEX CONCURRENTLY IF EXISTS ledger_of_booking;
-- For the payments of a booking that is over.
CREATE INDEX CONCURRENTLY ledger_of_booking ON ledger (booking_id) WHERE booking_id IS NOT NULL;
