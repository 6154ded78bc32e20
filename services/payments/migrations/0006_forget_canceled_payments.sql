-- outside a transaction: the index of a purge, on a table in use.
DROP INDEX CONCURRENTLY IF EXISTS payments_canceled;
CREATE INDEX CONCURRENTLY payments_canceled ON payments (created_at) WHERE status = 'canceled';
