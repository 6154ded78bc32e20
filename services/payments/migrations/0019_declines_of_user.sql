-- outside a transaction: the index of the limit on declines, built without blocking writes. Partial, because few payments have any.
DROP INDEX CONCURRENTLY IF EXISTS payments_declined;
CREATE INDEX CONCURRENTLY payments_declined ON payments (user_id, created_at) WHERE declines > 0;
