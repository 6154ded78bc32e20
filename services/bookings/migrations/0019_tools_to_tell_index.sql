-- outside a transaction: builds indexes without blocking writes.
DROP INDEX CONCURRENTLY IF EXISTS tools_to_tell;
CREATE INDEX CONCURRENTLY tools_to_tell ON tools (id) WHERE told_taken_at IS NULL;
