-- outside a transaction
DROP INDEX CONCURRENTLY IF EXISTS tools_hidden;
-- For the admins' list.
CREATE INDEX CONCURRENTLY tools_hidden ON tools (id) WHERE NOT on_offer AND removed_at IS NULL;
DROP INDEX CONCURRENTLY IF EXISTS tools_by_name;
CREATE INDEX CONCURRENTLY tools_by_name ON tools USING gin (name gin_trgm_ops) WHERE removed_at IS NULL;
