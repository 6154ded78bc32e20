import type { Db, Pool, Transaction } from '@lendtools/service-kit';

/**
 * When a settlement counts as hopeless: after 5 failures and 20 minutes. Its event is tried ten times in 26 minutes,
 * the reconciliation every five. So an operator who is paged at the first failure has a quarter of an hour to fix the
 * cause.
 */
const mostFailures = 5;
const patience = '20 minutes';
/** Failures by a statement timeout are retried for longer, because they usually end when the server is less busy. */
const patienceWithSlowness = '1 day';

/** Counts a failed settlement. @returns whether it is hopeless, so that the payment must be refunded */
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

/** Counts payments that are neither settled nor refunded. Checks `payments`, since older replicas don't clear failures. */
export const countUnsettled = async (db: Db): Promise<number> => {
  const { rows } = await db.query<{ count: number }>(
    `SELECT count(*)::int FROM failed_settlements f WHERE NOT EXISTS (SELECT FROM payments p WHERE p.id = f.payment_id)`,
  );
  return rows[0]?.count ?? 0;
};
