-- outside a transaction
DROP INDEX CONCURRENTLY IF EXISTS ledger_of_owner;
-- For what an owner has earned.
CREATE INDEX CONCURRENTLY ledger_of_owner ON ledger (owner_id) WHERE owner_id IS NOT NULL;
