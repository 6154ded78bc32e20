-- outside a transaction
DROP INDEX CONCURRENTLY IF EXISTS payments_unfollowed;
-- Payments that the ledger does not contain yet: those of before 1.1.0.
CREATE INDEX CONCURRENTLY payments_unfollowed ON payments (succeeded_at, id)
  WHERE succeeded_at IS NOT NULL AND intent_id IS NOT NULL AND ledger_read_at IS NULL;
