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

/**
 * Seconds-old movements have none yet, and a capture may take minutes to get one. The last walk has only reached transactions
 * until $1, and may have taken hours.
 */
const unmatchedSince = (time: string) =>
  `transaction_id IS NULL AND ${time} < least(now() - interval '6 hours', $1::timestamptz)`;

export interface ExpectedTransaction {
  key: string;
  paymentId: string;
  stripeId: string;
  cents: number;
}

/** Movements that were posted six hours ago, and that no transaction until `upTo` matched. */
export const listOverdueTransactions = async (
  db: Db,
  { upTo, limit }: { upTo: string; limit: number },
): Promise<ExpectedTransaction[]> => {
  const { rows } = await db.query<ExpectedTransaction>(
    `SELECT key, payment_id AS "paymentId", stripe_id AS "stripeId", cents FROM expected_transactions
     WHERE ${unmatchedSince('posted_at')} ORDER BY happened_at, key LIMIT $2`,
    [upTo, limit],
  );
  return rows;
};

/** A captured charge has the time of its authorization, days earlier. */
const movedAt = `greatest(happened_at, (SELECT succeeded_at FROM payments p WHERE p.id = expected_transactions.payment_id))`;
const opening = 'balance:opening';

export const hasOpening = async (db: Db): Promise<boolean> => {
  const { rowCount } = await db.query('SELECT FROM ledger_openings WHERE key = $1', [opening]);
  return rowCount !== 0;
};

/**
 * Notes that the opening balance is posted, and waits for another check that is posting it.
 * @returns the key of its movement; undefined if it is posted already
 */
export const noteOpening = async (tx: Transaction): Promise<string | undefined> => {
  const { rows } = await tx.query<{ key: string }>(
    'INSERT INTO ledger_openings (key) VALUES ($1) ON CONFLICT DO NOTHING RETURNING key',
    [opening],
  );
  return rows[0]?.key;
};

/**
 * Takes movements older than six hours that no transaction until `upTo` matched out of what is expected. Those of old payments
 * may have been posted just now.
 * @returns their sum and number
 */
export const dropUnmatchedTransactions = async (
  tx: Transaction,
  upTo: string,
): Promise<{ cents: number; count: number }> => {
  const { rows } = await tx.query<{ cents: number; count: number }>(
    `WITH dropped AS (DELETE FROM expected_transactions WHERE ${unmatchedSince(movedAt)} RETURNING cents)
     SELECT coalesce(sum(cents), 0)::bigint AS cents, count(*) AS count FROM dropped`,
    [upTo],
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

/**
 * Sums of one instant, in cents.
 * @param transactions balance transactions of which some may be checked
 * @returns the ledger, less the movements that Stripe does not have yet; and those transactions that are not checked
 */
export const sumLedger = async (
  db: Db,
  transactions: readonly { id: string; net: number }[],
): Promise<{ ledger: number; unchecked: number }> => {
  const { rows } = await db.query<{ ledger: number; unchecked: number }>(
    `SELECT
       ((SELECT coalesce(sum(cents), 0) FROM ledger_totals
         WHERE account NOT IN ('card', 'bank', 'owner', 'stripe', 'operators-bank'))
        - (SELECT coalesce(sum(cents), 0) FROM expected_transactions WHERE transaction_id IS NULL))::bigint AS ledger,
       (SELECT coalesce(sum(net), 0)::bigint FROM unnest($1::text[], $2::bigint[]) given (id, net)
        WHERE NOT EXISTS (SELECT FROM expected_transactions WHERE transaction_id = id)
          AND NOT EXISTS (SELECT FROM ledger WHERE key = 'balance:' || id)) AS unchecked`,
    [transactions.map(({ id }) => id), transactions.map(({ net }) => net)],
  );
  return rows[0] as { ledger: number; unchecked: number };
};

/** Walks overlap by an hour, so matched rows must outlive `reached_at`. */
export const purgeMatchedTransactions = (pool: Pool): Promise<number> =>
  deleteInBatches(pool, {
    from: 'expected_transactions',
    where: `transaction_id IS NOT NULL AND matched_at < least(now() - interval '30 days',
      (SELECT reached_at - interval '1 day' FROM reconciliations WHERE name = 'balance-transactions'))`,
  });
