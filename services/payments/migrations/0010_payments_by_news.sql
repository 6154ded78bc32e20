-- outside a transaction: the index of the list that bookings compares, on a table in use. `payments_succeeded` is for the
-- replicas of the version before; the next release drops it.
DROP INDEX CONCURRENTLY IF EXISTS payments_by_news;
CREATE INDEX CONCURRENTLY payments_by_news ON payments (greatest(succeeded_at, stripe_changed_at), id)
  WHERE succeeded_at IS NOT NULL;
