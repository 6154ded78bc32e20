import type { Db, Pool, Transaction } from '@lendtools/service-kit';

/** A settlement is hopeless after 5 failures and 20 minutes, so an operator has time to fix the cause. */
const mostFailures = 5;
const patience = '20 minutes';
/** Statement timeouts are retried for longer, because they usually end when the server is less busy. */
const patienceWithSlowness = '1 day';

/** Counts a failed settlement. @returns whether settling is hopeless, so that the payment must be refunded */
export const countFailure = async (
  pool: Pool,
  paymentId: string,
  { isCutShort }: { isCutShort: boolean },
): Promise<boolean> => {
  const { rows } = await pool.query<{ isHopeless: boolean }>(
    `INSERT INTO failed_settlements AS f (payment_id) VALUES ($1)
     ON CONFLICT (payment_id) DO UPDATE SET failures = f.failures + 1
     RETURNING failures >= $2 AND first_failed_at <= now() - $3::interval AS "isHopeless"`,
    [paymentId, mostFailures, isCutShort ? patienceWithSlowness : patience],
  );
  return rows[0]?.isHopeless === true;
};

export const clearFailures = async (tx: Transaction, paymentId: string): Promise<void> => {
  await tx.query('DELETE FROM failed_settlements WHERE payment_id = $1', [paymentId]);
};

/** Counts payments that are neither settled nor refunded. */
export const countUnsettled = async (db: Db): Promise<number> => {
  const { rows } = await db.query<{ count: number }>(
    'SELECT count(*)::int FROM failed_settlements',
  );
  return rows[0]?.count ?? 0;
};
