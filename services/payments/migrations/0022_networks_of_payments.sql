-- outside a transaction: the indexes of the limit on a network's declines and of its purge, built without blocking writes.
DROP INDEX CONCURRENTLY IF EXISTS payments_declined_networks;
CREATE INDEX CONCURRENTLY payments_declined_networks ON payments USING gin (networks) WHERE declines > 0;
DROP INDEX CONCURRENTLY IF EXISTS payments_with_networks;
CREATE INDEX CONCURRENTLY payments_with_networks ON payments (created_at) WHERE networks <> '{}';
