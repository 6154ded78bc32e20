-- outside a transaction: the index of the limit on declines, on a table in use. Few payments have any.
DROP INDEX CONCURRENTLY IF EXISTS payments_declined;
CREATE INDEX CONCURRENTLY payments_declined ON payments (user_id, created_at) WHERE declines > 0;
