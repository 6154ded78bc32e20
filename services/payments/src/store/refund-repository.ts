import type { RefundOwed } from '@lendtools/contracts';
import { columns, type Pool, type Transaction } from '@lendtools/service-kit';
import type { StoredRefundStatus } from '../domain/refund.ts';
import type { RefundFill } from '../domain/refund-fills.ts';
import { leaseSql, retrySql } from './retry-times.ts';

type RefundReason = RefundOwed['reason'];

export interface Refund {
  key: string;
  paymentId: string;
  bookingId: string | null;
  amountCents: number;
  reason: RefundReason;
  toolNames: string[];
  status: StoredRefundStatus;
  /** Stripe's id of the last try. */
  refundId: string | null;
  /** Part of the idempotency key. Incremented when the next try needs a fresh key. */
  attempt: number;
  tries: number;
  isNotified: boolean;
}

const refundColumns = `${columns(
  'key status paymentId bookingId amountCents refundId reason toolNames attempt tries',
)}, notified_at IS NOT NULL AS "isNotified"`;
const selected = `SELECT ${refundColumns} FROM refunds`;

/** Locks the rows of a payment's refunds. Lock the payment first. */
export const lockFills = async (tx: Transaction, paymentId: string): Promise<RefundFill[]> => {
  const { rows } = await tx.query<RefundFill>(
    `SELECT ${columns('key bookingId status refundId createdAt')}, amount_cents AS cents
     FROM refunds WHERE payment_id = $1 ORDER BY created_at, key FOR UPDATE`,
    [paymentId],
  );
  return rows;
};

type NewRefund = Pick<
  Refund,
  'key' | 'paymentId' | 'bookingId' | 'amountCents' | 'reason' | 'toolNames'
>;

export const insertRefund = async (tx: Transaction, refund: NewRefund): Promise<void> => {
  const { key, paymentId, bookingId, amountCents, reason, toolNames } = refund;
  await tx.query(
    `INSERT INTO refunds (key, payment_id, booking_id, amount_cents, reason, tool_names)
     VALUES ($1, $2, $3, $4, $5, $6)`,
    [key, paymentId, bookingId, amountCents, reason, toolNames],
  );
};

/**
 * Claims a refund that is due. A succeeded refund is checked after a day, then each time its age has doubled, for a month: a
 * bank may return the money that late, and its webhook may get lost. If the refund is not due yet, schedules the task again.
 */
export const claimDueRefund = async (pool: Pool, key: string): Promise<Refund | undefined> => {
  const { rows } = await pool.query<Refund>(
    `UPDATE refunds SET tries = tries + 1, next_try_at = CASE
       WHEN status <> 'succeeded' THEN ${leaseSql}
       WHEN finished_at < now() - interval '30 days' THEN 'infinity'
       ELSE now() + greatest(interval '1 day', now() - finished_at) END
     WHERE key = $1 AND next_try_at <= now() AND (status <> 'succeeded' OR refund_id IS NOT NULL)
     RETURNING ${refundColumns}`,
    [key],
  );
  if (rows[0]) return rows[0];
  await pool.query(
    'UPDATE refunds SET next_try_at = next_try_at WHERE key = $1 AND next_try_at > now()',
    [key],
  );
  return undefined;
};

export const hasRefund = async (pool: Pool, key: string): Promise<boolean> => {
  const { rowCount } = await pool.query('SELECT FROM refunds WHERE key = $1', [key]);
  return rowCount !== 0;
};

export const findRefund = async (tx: Transaction, key: string): Promise<Refund | undefined> => {
  const { rows } = await tx.query<Refund>(`${selected} WHERE key = $1`, [key]);
  return rows[0];
};

export const lockRefund = async (tx: Transaction, key: string): Promise<Refund> => {
  const { rows } = await tx.query<Refund>(`${selected} WHERE key = $1 FOR UPDATE`, [key]);
  if (!rows[0]) throw new Error(`Refund ${key} does not exist`);
  return rows[0];
};

/** Marks a refund as pending at Stripe, perhaps for days: the webhook or an hourly check finds the outcome. */
export const awaitRefund = async (
  tx: Transaction,
  key: string,
  refundId: string,
): Promise<void> => {
  await tx.query(
    `UPDATE refunds SET status = 'pending', refund_id = $2, error = NULL,
       next_try_at = now() + interval '1 hour' WHERE key = $1`,
    [key, refundId],
  );
};

export const finishRefund = async (
  tx: Transaction,
  key: string,
  refundId: string,
): Promise<void> => {
  await tx.query(
    `UPDATE refunds SET status = 'succeeded', refund_id = $2, error = NULL, finished_at = now(),
       notified_at = coalesce(notified_at, now()), next_try_at = now() + interval '1 day' WHERE key = $1`,
    [key, refundId],
  );
};

/**
 * Marks a refund as failed: the bank returned the money, or Stripe refused to send it. A closed card or a low balance
 * rarely changes quickly, so the next tries follow after 1, 2, 4, 8 and then every 16 days, under fresh keys, because
 * Stripe replays the failure under the old key. A refund that has succeeded meanwhile fails only if that same Stripe
 * refund failed.
 * @returns whether the refund was marked
 */
export const failRefund = async (
  tx: Transaction,
  key: string,
  failure: { refundId: string | null; error: string },
): Promise<boolean> => {
  const { rowCount } = await tx.query(
    `UPDATE refunds SET status = 'failed', refund_id = $2, error = $3, attempt = attempt + 1,
       failures = failures + 1, finished_at = NULL,
       next_try_at = now() + power(2, least(failures, 4)) * interval '1 day'
     WHERE key = $1 AND status <> 'voided' AND (status <> 'succeeded' OR refund_id = $2)`,
    [key, failure.refundId, failure.error],
  );
  return rowCount !== 0;
};

export const retryRefund = async (
  pool: Pool,
  key: string,
  failure: { error: string; freshKey: boolean },
): Promise<void> => {
  await pool.query(
    `UPDATE refunds SET error = $2, attempt = attempt + $3,
       next_try_at = ${retrySql}
     WHERE key = $1 AND status NOT IN ('succeeded', 'voided')`,
    [key, failure.error, failure.freshKey ? 1 : 0],
  );
};

export const voidRefund = async (tx: Transaction, key: string): Promise<void> => {
  await tx.query(
    `UPDATE refunds SET status = 'voided', error = NULL, finished_at = now(), next_try_at = 'infinity'
     WHERE key = $1`,
    [key],
  );
};

/**
 * Reduces a refund and makes it due, as Stripe may have refused the larger amount. A refund that a bank returned keeps
 * its backoff: a retry would fail too. Uses a fresh key: Stripe rejects another amount under the old one.
 */
export const shrinkRefund = async (
  tx: Transaction,
  key: string,
  byCents: number,
): Promise<void> => {
  await tx.query(
    `UPDATE refunds SET amount_cents = amount_cents - $2, attempt = attempt + 1,
       next_try_at = CASE WHEN status = 'failed' AND refund_id IS NOT NULL THEN next_try_at ELSE now() END
     WHERE key = $1`,
    [key, byCents],
  );
};

/** Resets `withdrawn_cents`: otherwise a replica of 1.0 would refund those cents in addition to the ledger. */
export const forgetWithdrawn = async (tx: Transaction, paymentId: string): Promise<void> => {
  await tx.query(
    'UPDATE refunds SET withdrawn_cents = 0 WHERE payment_id = $1 AND withdrawn_cents > 0',
    [paymentId],
  );
};

/** Corrects a refund that was shrunk or voided while Stripe processed it. */
export const resizeRefund = async (tx: Transaction, key: string, cents: number): Promise<void> => {
  await tx.query('UPDATE refunds SET amount_cents = $2 WHERE key = $1', [key, cents]);
};

/** Tries a refund again in an hour, because Stripe refunds nothing of a disputed charge. */
export const postponeRefund = async (pool: Pool, key: string): Promise<void> => {
  await pool.query(
    `UPDATE refunds SET next_try_at = now() + interval '1 hour'
     WHERE key = $1 AND status IN ('pending', 'failed')`,
    [key],
  );
};

export const resumeRefunds = async (tx: Transaction, paymentId: string): Promise<void> => {
  await tx.query(
    `UPDATE refunds SET next_try_at = now() WHERE payment_id = $1 AND status IN ('pending', 'failed')`,
    [paymentId],
  );
};

/** Repeats the check of a succeeded refund in an hour, even if it was the last check. */
export const recheckRefundLater = async (pool: Pool, key: string): Promise<void> => {
  await pool.query(
    `UPDATE refunds SET next_try_at = now() + interval '1 hour'
     WHERE key = $1 AND status = 'succeeded'`,
    [key],
  );
};

export const countUnfinishedRefunds = async (
  pool: Pool,
): Promise<{ pending: number; failed: number }> => {
  const { rows } = await pool.query<{ pending: number; failed: number }>(
    `SELECT count(*) FILTER (WHERE status = 'pending') AS pending, count(*) FILTER (WHERE status = 'failed') AS failed
     FROM refunds WHERE status IN ('pending', 'failed') AND next_try_at < 'infinity'`,
  );
  return rows[0] as { pending: number; failed: number };
};
