-- outside a transaction: the index of the list that bookings reconciles, built without blocking writes. Replicas of the previous
-- version still use `payments_succeeded`; the next release drops it.
DROP INDEX CONCURRENTLY IF EXISTS payments_by_news;
CREATE INDEX CONCURRENTLY payments_by_news ON payments (greatest(succeeded_at, stripe_changed_at), id)
  WHERE succeeded_at IS NOT NULL;
