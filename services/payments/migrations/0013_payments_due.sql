-- outside a transaction: on a table in use. Authorizations that ended are looked at until bookings knows of it. `payments_open` is
-- for the replicas of the version before; the next release drops it.
DROP INDEX CONCURRENTLY IF EXISTS payments_due;
CREATE INDEX CONCURRENTLY payments_due ON payments (next_check_at) WHERE status IN ('pending', 'failed')
  OR (status = 'canceled' AND authorized_at IS NOT NULL AND next_check_at < 'infinity');
