-- outside a transaction
DROP INDEX CONCURRENTLY IF EXISTS ledger_of_debts;
-- For owners with debts.
CREATE INDEX CONCURRENTLY ledger_of_debts ON ledger (owner_id)
  WHERE owner_id IS NOT NULL AND (from_account = 'debts' OR to_account = 'debts');
DROP INDEX CONCURRENTLY IF EXISTS payout_accounts_stopped;
-- For transfers that wait for their owner's account.
CREATE INDEX CONCURRENTLY payout_accounts_stopped ON payout_accounts (owner_id)
  WHERE held_by_admin OR (account_id IS NOT NULL AND (state <> 'ready' OR owner_disabled));
