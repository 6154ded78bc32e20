import type { EventData } from '@lendtools/contracts';
import { columns, type Pool, type Transaction } from '@lendtools/service-kit';
import type { PromiseStatus } from './domain/refund.ts';

type RefundReason = EventData<'PaymentRefunded'>['reason'];

export interface NewRefund {
  paymentId: string;
  bookingId: string | null;
  /** Of a booking several may be granted by admins, beside the one of its cancellation. */
  grantId?: string | null | undefined;
  amountCents: number;
  reason: RefundReason;
  toolNames: string[];
}

export interface Refund extends Omit<NewRefund, 'grantId'> {
  key: string;
  status: PromiseStatus;
  /** Was to be given as well, and went another way. */
  withdrawnCents: number;
  /** Of the last try at Stripe. */
  refundId: string | null;
  /** Part of the key toward Stripe, raised when Stripe keeps a 500 under the old one. */
  attempt: number;
  tries: number;
  /** The renter has been notified. */
  isTold: boolean;
}

const refundColumns = `${columns(
  'key status paymentId bookingId amountCents withdrawnCents refundId reason toolNames attempt tries',
)}, told_at IS NOT NULL AS "isTold"`;
const selected = `SELECT ${refundColumns} FROM refunds`;

/** The key is the reason's name: a second order with the same reason adds nothing. @returns whether it added one */
export const insertRefund = async (tx: Transaction, refund: NewRefund): Promise<boolean> => {
  const { paymentId, bookingId, grantId, amountCents, reason, toolNames } = refund;
  const key = ['refund', paymentId, bookingId, grantId].filter(Boolean).join(':');
  const { rowCount } = await tx.query(
    `INSERT INTO refunds (key, payment_id, booking_id, amount_cents, reason, tool_names)
     VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING`,
    [key, paymentId, bookingId, amountCents, reason, toolNames],
  );
  return rowCount !== 0;
};

/**
 * Claims refunds that are due; the claim is a lease, growing with the tries up to half a minute. One that has
 * succeeded is looked at after a day, then each time that its age has doubled, until a month has passed: a bank may
 * send the money back so late, and the webhook that tells may be missed. `next_try_at < 'infinity'` is the index's own.
 */
export const claimDueRefunds = async (pool: Pool, limit: number): Promise<Refund[]> => {
  const { rows } = await pool.query<Refund>(
    `UPDATE refunds SET tries = tries + 1, next_try_at = CASE
       WHEN status <> 'succeeded' THEN
         now() + power(2, least(tries, 5)) * interval '1 second' + interval '15 seconds'
       WHEN finished_at < now() - interval '30 days' THEN 'infinity'
       ELSE now() + greatest(interval '1 day', now() - finished_at) END
     WHERE key IN (
       SELECT key FROM refunds
       WHERE next_try_at <= now() AND next_try_at < 'infinity' AND (status <> 'succeeded' OR refund_id IS NOT NULL)
       ORDER BY next_try_at LIMIT $1 FOR UPDATE SKIP LOCKED)
     RETURNING ${refundColumns}`,
    [limit],
  );
  return rows;
};

export const findRefund = async (tx: Transaction, key: string): Promise<Refund | undefined> => {
  const { rows } = await tx.query<Refund>(`${selected} WHERE key = $1`, [key]);
  return rows[0];
};

export const lockRefund = async (tx: Transaction, key: string): Promise<Refund> => {
  const { rows } = await tx.query<Refund>(`${selected} WHERE key = $1 FOR UPDATE`, [key]);
  if (!rows[0]) throw new Error(`Refund ${key} is not there`);
  return rows[0];
};

/** It is on its way, which may take days: the webhook reports its end, or else an hourly check. */
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
       told_at = coalesce(told_at, now()), next_try_at = now() + interval '1 day' WHERE key = $1`,
    [key, refundId],
  );
};

/**
 * The money did not arrive, or Stripe refused to send it. A card stays closed and a balance too low for more
 * than a moment: the next try is a day later, then 2, 4, 8 and each 16 days. It needs a fresh key, since
 * Stripe would replay this one under the old. What has succeeded meanwhile fails only by its own refund.
 * @returns whether it has failed
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

/** Stripe could not be reached, or its reply got lost: tried again in seconds. */
export const retryRefund = async (
  pool: Pool,
  key: string,
  trouble: { error: string; freshKey: boolean },
): Promise<void> => {
  await pool.query(
    `UPDATE refunds SET error = $2, attempt = attempt + $3,
       next_try_at = now() + power(2, least(tries, 5)) * interval '1 second'
     WHERE key = $1 AND status NOT IN ('succeeded', 'voided')`,
    [key, trouble.error, trouble.freshKey ? 1 : 0],
  );
};

/** Those of a payment that Stripe does not have, the newest first: what they promise can still be taken back. */
export const lockUnsentRefunds = async (tx: Transaction, paymentId: string): Promise<Refund[]> => {
  const { rows } = await tx.query<Refund>(
    `${selected} WHERE payment_id = $1
       AND (status = 'failed' OR (status = 'pending' AND refund_id IS NULL))
     ORDER BY created_at DESC, key FOR UPDATE`,
    [paymentId],
  );
  return rows;
};

export const voidRefund = async (tx: Transaction, key: string): Promise<void> => {
  await tx.query(
    `UPDATE refunds SET status = 'voided', withdrawn_cents = withdrawn_cents + amount_cents, error = NULL, finished_at = now(), next_try_at = 'infinity'
     WHERE key = $1`,
    [key],
  );
};

/**
 * The rest is sent under a fresh key: Stripe takes no other amount under the old one. At once, because Stripe may have refused the larger
 * amount; but a bank that sent the money back would do so again, so that backoff stays.
 */
export const shrinkRefund = async (
  tx: Transaction,
  key: string,
  byCents: number,
): Promise<void> => {
  await tx.query(
    `UPDATE refunds SET amount_cents = amount_cents - $2, withdrawn_cents = withdrawn_cents + $2,
       attempt = attempt + 1,
       next_try_at = CASE WHEN status = 'failed' AND refund_id IS NOT NULL THEN next_try_at ELSE now() END
     WHERE key = $1`,
    [key, byCents],
  );
};

/** Those of a payment that were to give more, the oldest first. */
export const lockWithdrawnRefunds = async (
  tx: Transaction,
  paymentId: string,
): Promise<Refund[]> => {
  const { rows } = await tx.query<Refund>(
    `${selected} WHERE payment_id = $1 AND withdrawn_cents > 0
     ORDER BY created_at, key FOR UPDATE`,
    [paymentId],
  );
  return rows;
};

/**
 * Promises again what was withdrawn, as a refund of its own: the old one may have been sent, or be on its way. Rows of a
 * payment only become more, which makes the key new.
 */
export const renewRefund = async (
  tx: Transaction,
  { key, paymentId }: Refund,
  cents: number,
): Promise<void> => {
  await tx.query(
    `WITH renewed AS (
       UPDATE refunds SET withdrawn_cents = withdrawn_cents - $3 WHERE key = $1
       RETURNING booking_id, reason, tool_names)
     INSERT INTO refunds (key, payment_id, booking_id, amount_cents, reason, tool_names)
     SELECT concat($4::text, ':again:', (SELECT count(*) FROM refunds WHERE payment_id = $2)),
       $2, booking_id, $3, reason, tool_names FROM renewed`,
    [key, paymentId, cents, key.replace(/:again:\d+$/, '')],
  );
};

/** Stripe gave another amount than is left of the promise: it was shrunk, or voided, on its way. */
export const resizeRefund = async (
  tx: Transaction,
  key: string,
  { givenCents, byCents }: { givenCents: number; byCents: number },
): Promise<void> => {
  await tx.query(
    `UPDATE refunds SET amount_cents = $2, withdrawn_cents = greatest(0, withdrawn_cents - $3) WHERE key = $1`,
    [key, givenCents, byCents],
  );
};

/** Stripe refunds nothing of a disputed charge: tried again an hour later, or as soon as the dispute is over. */
export const holdRefund = async (pool: Pool, key: string): Promise<void> => {
  await pool.query(
    `UPDATE refunds SET next_try_at = now() + interval '1 hour'
     WHERE key = $1 AND status IN ('pending', 'failed')`,
    [key],
  );
};

/** The dispute is over. */
export const sendHeldRefunds = async (tx: Transaction, paymentId: string): Promise<void> => {
  await tx.query(
    `UPDATE refunds SET next_try_at = now() WHERE payment_id = $1 AND status IN ('pending', 'failed')`,
    [paymentId],
  );
};

/** Of one that has succeeded Stripe could not be asked: the look is made up for, though it was the last one. */
export const lookAgainLater = async (pool: Pool, key: string): Promise<void> => {
  await pool.query(
    `UPDATE refunds SET next_try_at = now() + interval '1 hour'
     WHERE key = $1 AND status = 'succeeded'`,
    [key],
  );
};

/** How many refunds are owed but not sent yet, and how many have failed. */
export const countUnfinishedRefunds = async (
  pool: Pool,
): Promise<{ pending: number; failed: number }> => {
  const { rows } = await pool.query<{ pending: number; failed: number }>(
    `SELECT count(*) FILTER (WHERE status = 'pending') AS pending, count(*) FILTER (WHERE status = 'failed') AS failed
     FROM refunds WHERE status IN ('pending', 'failed') AND next_try_at < 'infinity'`,
  );
  return rows[0] as { pending: number; failed: number };
};
