-- outside a transaction: the index of the list that bookings compares, on a table in use.
DROP INDEX CONCURRENTLY IF EXISTS payments_by_news;
CREATE INDEX CONCURRENTLY payments_by_news ON payments (greatest(succeeded_at, stripe_changed_at), id)
  WHERE succeeded_at IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS payments_succeeded;
