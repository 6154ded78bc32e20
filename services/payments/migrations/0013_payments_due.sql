-- outside a transaction: built without blocking writes. Ended authorizations are checked until bookings acknowledges the end.
-- Replicas of the previous version still use `payments_open`; the next release drops it.
DROP INDEX CONCURRENTLY IF EXISTS payments_due;
CREATE INDEX CONCURRENTLY payments_due ON payments (next_check_at) WHERE status IN ('pending', 'failed')
  OR (status = 'canceled' AND authorized_at IS NOT NULL AND next_check_at < 'infinity');
