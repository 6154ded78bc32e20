-- outside a transaction: the index of a purge, built without blocking writes.
DROP INDEX CONCURRENTLY IF EXISTS payments_canceled;
CREATE INDEX CONCURRENTLY payments_canceled ON payments (created_at) WHERE status = 'canceled';
