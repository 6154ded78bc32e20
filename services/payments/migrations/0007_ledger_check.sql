-- `happened_at` is too early for "overdue": a captured charge keeps the time of its authorization, up to a week earlier.
ALTER TABLE expected_transactions ADD COLUMN posted_at timestamptz NOT NULL DEFAULT now();

-- The movement `balance:opening`, once `check-ledger` has posted it, even if it has no entries because it moves 0 cents.
CREATE TABLE ledger_openings (
  key text PRIMARY KEY,
  posted_at timestamptz NOT NULL DEFAULT now()
);
INSERT INTO ledger_openings (key)
SELECT 'balance:opening' FROM reconciliations WHERE name = 'balance-transactions' AND reached_at > to_timestamp(0);

-- `fees` may be positive: Stripe lists the newest transaction first, so a returned fee may be posted before the fee.
CREATE OR REPLACE FUNCTION check_ledger_signs() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  wrong record;
BEGIN
  SELECT b.* INTO wrong
  FROM (SELECT DISTINCT payment_id FROM added WHERE payment_id IS NOT NULL) touched
  CROSS JOIN LATERAL (SELECT * FROM ledger_balances balances WHERE balances.payment_id = touched.payment_id) b
  WHERE (b.cents < 0 AND b.account IN ('unallocated', 'pending', 'available', 'commission', 'sending', 'due'))
    OR (b.cents > 0 AND b.account IN ('disputes', 'losses', 'debts'))
  LIMIT 1;
  IF FOUND THEN
    RAISE 'The account % of payment % and booking % would have % cents', wrong.account, wrong.payment_id, wrong.booking_id, wrong.cents
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
