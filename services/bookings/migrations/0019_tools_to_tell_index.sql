-- outside a transaction: on a table in use.
DROP INDEX CONCURRENTLY IF EXISTS tools_to_tell;
CREATE INDEX CONCURRENTLY tools_to_tell ON tools (id) WHERE told_taken_at IS NULL;
