-- All money, append-only (ADR 16). An entry moves cents from one account to another, so entries sum to zero.
CREATE TABLE ledger (
  -- The movement: a repeated fact has the same key, and is rejected as a duplicate.
  key text NOT NULL,
  line integer NOT NULL CHECK (line > 0),
  from_account text NOT NULL,
  to_account text NOT NULL,
  cents bigint NOT NULL CHECK (cents > 0),
  payment_id uuid REFERENCES payments,
  booking_id uuid,
  owner_id uuid,
  -- Stripe's object that moved the money: a charge, refund, dispute or, for a fee, a balance transaction.
  stripe_id text,
  -- When the money moved, by Stripe's clock if it moved there.
  happened_at timestamptz NOT NULL,
  posted_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (key, line),
  CHECK (from_account <> to_account),
  CONSTRAINT ledger_accounts CHECK (ARRAY[from_account, to_account] <@ ARRAY[
    'unallocated', 'pending', 'available', 'commission', 'sending', 'due', 'disputes', 'losses', 'fees', 'debts', 'netting', 'operator',
    'card', 'bank', 'owner', 'stripe', 'operators-bank'])
);
CREATE INDEX ledger_of_payment ON ledger (payment_id);

-- The balance of each account of each payment and, for the accounts of a booking, of each booking.
CREATE VIEW ledger_balances AS
SELECT payment_id, account,
  CASE WHEN account IN ('pending', 'available', 'commission', 'sending', 'due', 'debts') THEN booking_id END AS booking_id,
  sum(moved)::bigint AS cents
FROM ledger CROSS JOIN LATERAL (VALUES (from_account, -cents), (to_account, cents)) moves (account, moved)
GROUP BY 1, 2, 3;

-- For the entries of days that are not closed.
CREATE INDEX ledger_by_time ON ledger USING brin (posted_at);

-- The sum of each account's entries of a day, once the day is over.
CREATE TABLE ledger_days (
  day date NOT NULL,
  account text NOT NULL,
  cents bigint NOT NULL,
  PRIMARY KEY (day, account)
);
CREATE FUNCTION ledger_open_since() RETURNS timestamptz STABLE
  RETURN (SELECT coalesce(max(day) + 1, '1970-01-01')::timestamp AT TIME ZONE 'UTC' FROM ledger_days);
CREATE VIEW ledger_totals AS
SELECT account, sum(cents)::bigint AS cents
FROM (
  SELECT account, cents FROM ledger_days
  UNION ALL
  SELECT account, moved
  FROM ledger CROSS JOIN LATERAL (VALUES (from_account, -cents), (to_account, cents)) moves (account, moved)
  WHERE posted_at >= ledger_open_since()) all_entries
GROUP BY account;

CREATE FUNCTION reject_change_of_ledger() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE 'The ledger is append-only: post a movement that reverses the wrong one' USING ERRCODE = 'restrict_violation';
END $$;
-- Not on TRUNCATE, which a restore needs.
CREATE TRIGGER reject_change_of_ledger BEFORE UPDATE OR DELETE ON ledger
  FOR EACH STATEMENT EXECUTE FUNCTION reject_change_of_ledger();

-- Rejects a statement that leaves a payment with a wrong sign. Within the statement, entries may come in any order.
CREATE FUNCTION check_ledger_signs() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  wrong record;
BEGIN
  SELECT b.* INTO wrong
  FROM (SELECT DISTINCT payment_id FROM added WHERE payment_id IS NOT NULL) touched
  CROSS JOIN LATERAL (SELECT * FROM ledger_balances balances WHERE balances.payment_id = touched.payment_id) b
  WHERE (b.cents < 0 AND b.account IN ('unallocated', 'pending', 'available', 'commission', 'sending', 'due'))
    OR (b.cents > 0 AND b.account IN ('disputes', 'losses', 'fees', 'debts'))
  LIMIT 1;
  IF FOUND THEN
    RAISE 'The account % of payment % and booking % would have % cents', wrong.account, wrong.payment_id, wrong.booking_id, wrong.cents
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER check_ledger_signs AFTER INSERT ON ledger
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION check_ledger_signs();

-- Balance transactions that Stripe must have: one for each movement between our balance and the outside.
CREATE TABLE expected_transactions (
  key text PRIMARY KEY,
  payment_id uuid,
  stripe_id text NOT NULL,
  -- Positive if the money came in.
  cents bigint NOT NULL,
  happened_at timestamptz NOT NULL,
  -- Stripe's balance transaction, once `check-ledger` has found it.
  transaction_id text UNIQUE,
  matched_at timestamptz
);
CREATE INDEX expected_transactions_open ON expected_transactions (stripe_id) WHERE transaction_id IS NULL;
CREATE INDEX expected_transactions_matched ON expected_transactions (matched_at) WHERE transaction_id IS NOT NULL;

-- Movements that `check-ledger` posts come from Stripe's balance transactions, so none is expected for them. A movement is inserted by
-- one statement.
CREATE FUNCTION expect_transactions() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  outside text[] := ARRAY['card', 'bank', 'owner', 'stripe', 'operators-bank'];
BEGIN
  INSERT INTO expected_transactions (key, payment_id, stripe_id, cents, happened_at)
  SELECT key, min(payment_id::text)::uuid, min(stripe_id), sum(CASE WHEN from_account = ANY (outside) THEN cents ELSE -cents END),
    min(happened_at)
  FROM added
  WHERE (from_account = ANY (outside)) <> (to_account = ANY (outside)) AND key NOT LIKE 'balance:%'
  GROUP BY key;
  RETURN NULL;
END $$;
CREATE TRIGGER expect_transactions AFTER INSERT ON ledger
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION expect_transactions();

ALTER TABLE payments
  ADD COLUMN charge_id text,
  -- When the facts that the ledger contains were requested from Stripe, by this database's clock: the later request wins.
  ADD COLUMN ledger_read_at timestamptz;

-- What any replica writes about a payment's money is posted by the task `follow-ledger`.
CREATE FUNCTION follow_payment() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM schedule_task('follow-ledger', NEW.id::text, now());
  RETURN NULL;
END $$;
CREATE TRIGGER follow_payment AFTER UPDATE OF succeeded_at ON payments
  FOR EACH ROW WHEN (OLD.succeeded_at IS DISTINCT FROM NEW.succeeded_at) EXECUTE FUNCTION follow_payment();
CREATE FUNCTION follow_payment_of_row() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM schedule_task('follow-ledger', NEW.payment_id::text, now());
  RETURN NULL;
END $$;
CREATE TRIGGER follow_refund AFTER INSERT OR UPDATE OF status, amount_cents, refund_id ON refunds
  FOR EACH ROW EXECUTE FUNCTION follow_payment_of_row();
CREATE TRIGGER follow_outside_refund AFTER INSERT OR UPDATE ON outside_refunds
  FOR EACH ROW EXECUTE FUNCTION follow_payment_of_row();
CREATE TRIGGER follow_dispute AFTER INSERT OR UPDATE OF state, status, amount_cents ON disputes
  FOR EACH ROW EXECUTE FUNCTION follow_payment_of_row();

-- Walks Stripe's balance transactions from the first one on.
INSERT INTO reconciliations (name, next_at, reached_at) VALUES ('balance-transactions', now(), to_timestamp(0));
