import { type Db, deleteInBatches, type Pool, type Transaction } from '@lendtools/service-kit';

/** Locks a balance transaction until the commit: an operator's check may run beside the job's. */
export const lockTransaction = async (tx: Transaction, transactionId: string): Promise<void> => {
  await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended('balance ' || $1, 0))`, [
    transactionId,
  ]);
};

/** Whether a balance transaction was matched with an entry, or posted as one. */
export const isChecked = async (tx: Transaction, transactionId: string): Promise<boolean> => {
  const { rows } = await tx.query<{ found: boolean }>(
    `SELECT EXISTS (SELECT FROM expected_transactions WHERE transaction_id = $1)
       OR EXISTS (SELECT FROM ledger WHERE key = 'balance:' || $1) AS found`,
    [transactionId],
  );
  return rows[0]?.found === true;
};

/**
 * Matches a balance transaction with the oldest expected one of the same object and amount.
 * @returns the expected one's payment; undefined if none is expected
 */
export const matchTransaction = async (
  tx: Transaction,
  { transactionId, stripeId, cents }: { transactionId: string; stripeId: string; cents: number },
): Promise<{ paymentId: string } | undefined> => {
  const { rows } = await tx.query<{ paymentId: string }>(
    `UPDATE expected_transactions SET transaction_id = $1, matched_at = now()
     WHERE key = (
       SELECT key FROM expected_transactions WHERE stripe_id = $2 AND cents = $3 AND transaction_id IS NULL
       ORDER BY happened_at, key LIMIT 1 FOR UPDATE)
     RETURNING payment_id AS "paymentId"`,
    [transactionId, stripeId, cents],
  );
  return rows[0];
};

/** Seconds-old movements have none yet, and a capture may take minutes to get one. */
const overdue = `transaction_id IS NULL AND happened_at < now() - interval '6 hours'`;

export interface ExpectedTransaction {
  key: string;
  paymentId: string;
  stripeId: string;
  cents: number;
}

export const listOverdueTransactions = async (
  db: Db,
  limit: number,
): Promise<ExpectedTransaction[]> => {
  const { rows } = await db.query<ExpectedTransaction>(
    `SELECT key, payment_id AS "paymentId", stripe_id AS "stripeId", cents FROM expected_transactions
     WHERE ${overdue} ORDER BY happened_at, key LIMIT $1`,
    [limit],
  );
  return rows;
};

/** Takes the overdue movements out of what is expected. @returns their sum and number */
export const dropOverdueTransactions = async (
  tx: Transaction,
): Promise<{ cents: number; count: number }> => {
  const { rows } = await tx.query<{ cents: number; count: number }>(
    `WITH dropped AS (DELETE FROM expected_transactions WHERE ${overdue} RETURNING cents)
     SELECT coalesce(sum(cents), 0)::bigint AS cents, count(*) AS count FROM dropped`,
  );
  return rows[0] as { cents: number; count: number };
};

/** Closes the days that ended at least an hour ago, so that a total reads only the entries since. */
export const closeDays = async (db: Db): Promise<void> => {
  await db.query(
    `INSERT INTO ledger_days (day, account, cents)
     SELECT (posted_at AT TIME ZONE 'UTC')::date, account, sum(moved)
     FROM ledger CROSS JOIN LATERAL (VALUES (from_account, -cents), (to_account, cents)) moves (account, moved)
     WHERE posted_at >= ledger_open_since() AND posted_at < date_trunc('day', now() - interval '1 hour', 'UTC')
     GROUP BY 1, 2 ON CONFLICT DO NOTHING`,
  );
};

/** What Stripe's balance must be: the ledger, less the movements that Stripe does not have yet. */
export const sumLedger = async (db: Db): Promise<number> => {
  const { rows } = await db.query<{ cents: number }>(
    `SELECT (sum(cents) - (SELECT coalesce(sum(cents), 0) FROM expected_transactions WHERE transaction_id IS NULL))::bigint AS cents
     FROM ledger_totals WHERE account NOT IN ('card', 'bank', 'owner', 'stripe', 'operators-bank')`,
  );
  return rows[0]?.cents ?? 0;
};

/** The walk lists a transaction again until its end has passed it by an hour. */
export const purgeMatchedTransactions = (pool: Pool): Promise<number> =>
  deleteInBatches(pool, {
    from: 'expected_transactions',
    where: `transaction_id IS NOT NULL AND matched_at < least(now() - interval '30 days',
      (SELECT reached_at - interval '1 day' FROM reconciliations WHERE name = 'balance-transactions'))`,
  });
