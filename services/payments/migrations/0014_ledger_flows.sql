-- outside a transaction
DROP INDEX CONCURRENTLY IF EXISTS ledger_flows;
-- Covers the sums of GET /api/admin/money.
CREATE INDEX CONCURRENTLY ledger_flows ON ledger (posted_at) INCLUDE (from_account, to_account, cents)
  WHERE from_account IN ('card', 'owner', 'commission') OR to_account IN ('card', 'owner', 'commission');
