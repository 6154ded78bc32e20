import type { Db, Transaction } from '@lendtools/service-kit';
import type { ShareId } from '../domain/share.ts';
import { blocksPayment } from './dispute-repository.ts';
import { isReturned } from './reversal-repository.ts';

export interface StuckShare extends ShareId {
  ownerId: string;
  cents: number;
  /** When the share got its last cents. Those that Stripe did not transfer don't count. */
  releasedAt: Date;
  intentId: string;
  accountState: string | null;
  isHeld: boolean;
  isDisputed: boolean;
  isReturned: boolean;
  /** No task is going to transfer it, although its owner can be paid. */
  isForgotten: boolean;
  /** The last transfer, if it was not made. */
  transfer: {
    status: 'unknown' | 'rejected';
    errorCode: string | null;
    error: string | null;
    nextTryAt: string;
  } | null;
}

/** A transfer that is being sent is not stuck yet. */
const stuckAfter = `interval '10 minutes'`;

const isStopped = `a.held_by_admin OR (a.account_id IS NOT NULL AND (a.state <> 'ready' OR a.owner_disabled))`;

/** Shares that could have been transferred for a day, and that no task, transfer or other cause of a delay explains. */
const forgotten = `
  SELECT w.booking_id, w.payment_id FROM waiting_shares w JOIN payout_accounts a ON a.owner_id = w.owner_id
  WHERE w.released_at < now() - interval '1 day' AND is_payable(a)
    AND NOT EXISTS (SELECT FROM transfers t
      WHERE t.payment_id = w.payment_id AND t.booking_id = w.booking_id AND t.status <> 'sent' AND t.next_try_at < 'infinity')
    AND NOT EXISTS (SELECT FROM disputes d WHERE d.payment_id = w.payment_id AND ${blocksPayment})
    AND NOT EXISTS (SELECT FROM transfers t JOIN transfer_reversals r ON r.transfer = t.id
      WHERE t.payment_id = w.payment_id AND t.booking_id = w.booking_id AND ${isReturned})
    AND NOT EXISTS (SELECT FROM graphile_worker._private_jobs j
      WHERE j.key IN ('send-transfer:' || w.payment_id || ':' || w.booking_id, 'resume-transfers:' || w.owner_id))`;

/** Shares that an admin may have to look at. */
const failed = `
  SELECT booking_id, payment_id FROM transfers WHERE status <> 'sent' AND next_try_at < 'infinity'
  UNION
  SELECT t.booking_id, t.payment_id FROM transfer_reversals r JOIN transfers t ON t.id = r.transfer
    WHERE ${isReturned}
  UNION${forgotten}`;

/**
 * Shares that may be stuck: their transfer failed, was reversed in Stripe's dashboard or is forgotten, or their payment or owner
 * must wait. Excludes owners who never began to set up payouts: there are many, and admins can do nothing.
 */
const candidates = `${failed}
  UNION
  SELECT w.booking_id, w.payment_id FROM disputes d JOIN waiting_shares w ON w.payment_id = d.payment_id
    WHERE ${blocksPayment}
  UNION
  SELECT w.booking_id, w.payment_id FROM payout_accounts a JOIN waiting_shares w ON w.owner_id = a.owner_id
    WHERE (${isStopped})`;

/** Released shares that have not been transferred. */
const stuck = (shares: string) => `FROM (${shares}) c
  JOIN waiting_shares w ON w.booking_id = c.booking_id AND w.payment_id = c.payment_id
  WHERE NOT EXISTS (SELECT FROM transfers t WHERE t.payment_id = w.payment_id AND t.booking_id = w.booking_id
    AND t.status = 'unknown' AND t.created_at >= now() - ${stuckAfter})`;

/** Released shares that are not transferred, the oldest booking first. */
export const pageOfStuckTransfers = async (
  db: Db,
  { after, limit }: { after: ShareId | null; limit: number },
): Promise<StuckShare[]> => {
  const { rows } = await db.query<StuckShare>(
    `WITH page AS (
       SELECT w.* ${stuck(candidates)} AND ($1::uuid IS NULL OR (w.booking_id, w.payment_id) > ($1, $2::uuid))
       ORDER BY w.booking_id, w.payment_id LIMIT $3)
     SELECT w.payment_id AS "paymentId", w.booking_id AS "bookingId", w.owner_id AS "ownerId", w.cents, w.released_at AS "releasedAt",
       p.intent_id AS "intentId", a.state AS "accountState",
       coalesce(a.held_by_admin OR a.owner_disabled, false) AS "isHeld",
       EXISTS (SELECT FROM disputes d WHERE d.payment_id = w.payment_id AND ${blocksPayment}) AS "isDisputed",
       EXISTS (SELECT FROM transfers o JOIN transfer_reversals r ON r.transfer = o.id
         WHERE o.payment_id = w.payment_id AND o.booking_id = w.booking_id AND ${isReturned}) AS "isReturned",
       t.id IS NULL AND coalesce(is_payable(a), false) AS "isForgotten",
       CASE WHEN t.id IS NOT NULL THEN json_build_object('status', t.status, 'errorCode', t.error_code, 'error', t.error,
         'nextTryAt', t.next_try_at) END AS transfer
     FROM page w
     JOIN payments p ON p.id = w.payment_id
     LEFT JOIN payout_accounts a ON a.owner_id = w.owner_id
     LEFT JOIN LATERAL (
       SELECT * FROM transfers t
       WHERE t.payment_id = w.payment_id AND t.booking_id = w.booking_id AND t.status <> 'sent' AND t.next_try_at < 'infinity'
       ORDER BY t.id DESC LIMIT 1) t ON true
     ORDER BY w.booking_id, w.payment_id`,
    [after?.bookingId ?? null, after?.paymentId ?? null, limit],
  );
  return rows;
};

/** Counts the stuck shares for which an admin can do something: neither their owner nor a bank stops them. */
export const sumStuckWork = async (db: Db): Promise<{ count: number; since: Date | null }> => {
  const { rows } = await db.query<{ count: number; since: Date | null }>(
    `SELECT count(*)::int, min(w.released_at) AS since ${stuck(failed)}
       AND EXISTS (SELECT FROM payout_accounts a WHERE a.owner_id = w.owner_id AND is_payable(a))
       AND NOT EXISTS (SELECT FROM disputes d WHERE d.payment_id = w.payment_id AND ${blocksPayment})`,
  );
  return rows[0] ?? { count: 0, since: null };
};

/**
 * Makes a share's transfer due, and lets what was reversed in Stripe's dashboard be transferred again.
 * @returns false if nothing of the share waits to be transferred
 */
export const resumeShare = async (
  tx: Transaction,
  { paymentId, bookingId }: ShareId,
): Promise<boolean> => {
  const { rows } = await tx.query<{ waits: boolean }>(
    `SELECT coalesce(sum(CASE WHEN to_account IN ('available', 'sending') THEN cents ELSE 0 END
       - CASE WHEN from_account IN ('available', 'sending') THEN cents ELSE 0 END), 0) > 0 AS waits
     FROM ledger WHERE payment_id = $1 AND booking_id = $2`,
    [paymentId, bookingId],
  );
  if (!rows[0]?.waits) return false;
  await tx.query(
    `UPDATE transfer_reversals r SET accepted_at = now() FROM transfers t
     WHERE t.id = r.transfer AND t.payment_id = $1 AND t.booking_id = $2 AND ${isReturned}`,
    [paymentId, bookingId],
  );
  await tx.query(
    `UPDATE transfers SET next_try_at = now()
     WHERE payment_id = $1 AND booking_id = $2 AND status <> 'sent' AND next_try_at < 'infinity'`,
    [paymentId, bookingId],
  );
  return true;
};

export interface StuckCounts {
  transfer: number;
  reversal: number;
  returned: number;
  forgotten: number;
}

/**
 * Counts what an admin has to look at. `transfer`: a share whose transfer has been unknown or rejected for a day, although its
 * owner can be paid. `reversal`: one that has been unknown for a day. `returned`: one that was made in Stripe's dashboard.
 * `forgotten`: a share that has waited for a day without a task that transfers it.
 */
export const countStuckTransfers = async (db: Db): Promise<StuckCounts> => {
  const { rows } = await db.query<StuckCounts>(
    `SELECT
       (SELECT count(*)::int FROM transfers t JOIN payout_accounts a ON a.owner_id = t.owner_id
        WHERE t.status <> 'sent' AND t.next_try_at < 'infinity' AND is_payable(a) AND EXISTS (
          SELECT FROM transfers first
          WHERE first.payment_id = t.payment_id AND first.booking_id = t.booking_id AND first.status <> 'sent'
            AND first.created_at < now() - interval '1 day' AND NOT EXISTS (
              SELECT FROM transfers sent
              WHERE sent.payment_id = t.payment_id AND sent.booking_id = t.booking_id AND sent.status = 'sent'
                AND sent.created_at > first.created_at))) AS transfer,
       (SELECT count(*)::int FROM transfer_reversals WHERE status = 'unknown' AND created_at < now() - interval '1 day') AS reversal,
       (SELECT count(*)::int FROM transfer_reversals r WHERE ${isReturned}) AS returned,
       (SELECT count(*)::int FROM (${forgotten}) f) AS forgotten`,
  );
  return rows[0] as StuckCounts;
};
