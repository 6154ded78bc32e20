-- outside a transaction
DROP INDEX CONCURRENTLY IF EXISTS tools_by_owner;
-- For the erasure of an owner, also of removed tools.
CREATE INDEX CONCURRENTLY tools_by_owner ON tools (owner_id);
