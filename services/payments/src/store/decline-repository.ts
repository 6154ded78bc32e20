import type { Db, Transaction } from '@lendtools/service-kit';
import { maxDeclinesOfPayment } from '../domain/declines.ts';
import type { StoredPayment } from './payment-repository.ts';

/** Saves a payment's declines. At the limit, makes the payment due, so that the reconciler cancels its intent. */
export const saveDeclines = async (
  tx: Transaction,
  { id, state, declines, failedAuthentications }: StoredPayment,
): Promise<void> => {
  const isOpen = state.status === 'pending' || state.status === 'failed';
  await tx.query(
    `UPDATE payments SET declines = $2, failed_authentications = $3,
       expires_at = CASE WHEN $4 THEN LEAST(expires_at, now()) ELSE expires_at END,
       next_check_at = CASE WHEN $4 THEN now() ELSE next_check_at END
     WHERE id = $1`,
    [id, declines, failedAuthentications, isOpen && declines >= maxDeclinesOfPayment],
  );
};

export const secondsOverLimitOfUser = (
  db: Db,
  userId: string,
  limit: number,
): Promise<number | undefined> => secondsOverLimit(db, 'user_id = $1', [userId, limit]);

export const secondsOverLimitOfNetwork = (
  db: Db,
  network: string,
  limit: number,
): Promise<number | undefined> =>
  secondsOverLimit(db, 'networks @> ARRAY[$1::text]', [network, limit]);

/**
 * Seconds until the declines of the last 24 hours are below the limit; undefined if they are already. Adds up declines
 * from the newest payment back: once the payment that reaches the limit is a day old, the newer ones are below the limit.
 */
const secondsOverLimit = async (
  db: Db,
  ofWhom: string,
  values: [key: string, limit: number],
): Promise<number | undefined> => {
  const { rows } = await db.query<{ seconds: number }>(
    `SELECT extract(epoch FROM created_at + interval '1 day' - now())::float8 AS seconds
     FROM (SELECT created_at, sum(declines) OVER (ORDER BY created_at DESC, id DESC) AS declined
           FROM payments
           WHERE ${ofWhom} AND declines > 0 AND created_at > now() - interval '1 day') newest_first
     WHERE declined >= $2 ORDER BY created_at DESC LIMIT 1`,
    values,
  );
  return rows[0]?.seconds;
};
