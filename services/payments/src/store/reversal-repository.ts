import { columns, type Db, type Transaction } from '@lendtools/service-kit';
import type { ShareId } from '../domain/share.ts';
import { firstLeaseSql, freshKeySql, leaseSql, retrySql } from './retry-times.ts';
import type { TransferFailure } from './transfer-repository.ts';

/** In SQL, of a row `r`: a reversal made in Stripe's dashboard, whose money waits for an admin. */
export const isReturned = 'r.is_outside AND r.accepted_at IS NULL';

/** A reversal that we make, of a transfer's row. */
export interface OwnReversal {
  id: string;
  transfer: string;
  amountCents: number;
  /** Part of the idempotency key. Incremented when the next try needs a fresh key. */
  attempt: number;
  tries: number;
}

/** A transfer that was sent. */
export interface ReversibleTransfer {
  id: string;
  paymentId: string;
  bookingId: string;
  ownerId: string;
  /** Stripe's id of the owner's account, and of the transfer. */
  accountId: string;
  transferId: string;
  amountCents: number;
  /** What was reversed of it, as far as it is recorded. */
  reversedCents: number;
}

const reversalColumns = columns('id transfer amountCents attempt tries');

const transferColumns = `${columns('id paymentId bookingId ownerId accountId transferId amountCents', 't')},
  (SELECT coalesce(sum(r.amount_cents), 0)::float8 FROM transfer_reversals r WHERE r.transfer = t.id AND r.status = 'made')
    AS "reversedCents"`;

export const findReversible = async (
  db: Db,
  id: string,
): Promise<ReversibleTransfer | undefined> => {
  const { rows } = await db.query<ReversibleTransfer>(
    `SELECT ${transferColumns} FROM transfers t WHERE t.id = $1 AND t.status = 'sent'`,
    [id],
  );
  return rows[0];
};

/** The sent transfers of a booking's share of which something is left to reverse. */
export const listReversible = async (
  db: Db,
  { paymentId, bookingId }: ShareId,
): Promise<ReversibleTransfer[]> => {
  const { rows } = await db.query<ReversibleTransfer>(
    `SELECT ${transferColumns} FROM transfers t
     WHERE t.payment_id = $1 AND t.booking_id = $2 AND t.status = 'sent' ORDER BY t.id`,
    [paymentId, bookingId],
  );
  return rows.filter(({ amountCents, reversedCents }) => amountCents > reversedCents);
};

/** Whether the outcome of a reversal of the share is unknown. */
export const hasUnknownReversal = async (
  db: Db,
  { paymentId, bookingId }: ShareId,
): Promise<boolean> => {
  const { rowCount } = await db.query(
    `SELECT FROM transfers t JOIN transfer_reversals r ON r.transfer = t.id
     WHERE t.payment_id = $1 AND t.booking_id = $2 AND r.status = 'unknown' LIMIT 1`,
    [paymentId, bookingId],
  );
  return rowCount !== 0;
};

/**
 * If the transfer has an unknown reversal, or the one after a rejected one is not due yet, fires the trigger that schedules it and
 * returns true.
 */
export const rescheduleReversal = async (db: Db, transfer: string): Promise<boolean> => {
  const { rowCount } = await db.query(
    `UPDATE transfer_reversals SET next_try_at = next_try_at
     WHERE transfer = $1 AND next_try_at < 'infinity' AND (status = 'unknown' OR status = 'rejected' AND next_try_at > now())`,
    [transfer],
  );
  return rowCount !== 0;
};

/** Claims the transfer's unknown reversal, if it is due. The claim is a lease that grows with the tries. */
export const claimReversal = async (db: Db, transfer: string): Promise<OwnReversal | undefined> => {
  const { rows } = await db.query<OwnReversal>(
    `UPDATE transfer_reversals SET tries = tries + 1, next_try_at = ${leaseSql}
     WHERE transfer = $1 AND status = 'unknown' AND next_try_at <= now() RETURNING ${reversalColumns}`,
    [transfer],
  );
  return rows[0];
};

/** Inserts a reversal, which is claimed already. */
export const insertReversal = async (
  tx: Transaction,
  { transfer, amountCents }: Pick<OwnReversal, 'transfer' | 'amountCents'>,
): Promise<OwnReversal> => {
  const { rows } = await tx.query<OwnReversal>(
    `INSERT INTO transfer_reversals (transfer, amount_cents, tries, next_try_at) VALUES ($1, $2, 1, ${firstLeaseSql})
     RETURNING ${reversalColumns}`,
    [transfer, amountCents],
  );
  return rows[0] as OwnReversal;
};

/** Another row replaces the transfer's rejected reversals, or nothing is left to reverse. */
export const endRejectedReversals = async (tx: Transaction, transfer: string): Promise<void> => {
  await tx.query(
    `UPDATE transfer_reversals SET next_try_at = 'infinity'
     WHERE transfer = $1 AND status = 'rejected' AND next_try_at < 'infinity'`,
    [transfer],
  );
};

/** Sends a reversal again in a few seconds, or under another key in a minute: Stripe did not say whether it was made. */
export const reverseAgainLater = async (
  db: Db,
  id: string,
  { error, errorCode, freshKey }: TransferFailure & { freshKey: boolean },
): Promise<void> => {
  await db.query(
    `UPDATE transfer_reversals SET error = $2, error_code = $3, attempt = attempt + $4,
       next_try_at = CASE WHEN $4 = 1 THEN ${freshKeySql} ELSE ${retrySql} END
     WHERE id = $1 AND status = 'unknown'`,
    [id, error, errorCode, freshKey ? 1 : 0],
  );
};

/**
 * Marks an unknown reversal as rejected. The next one, of what can be reversed then, follows after 1, 2, 4, 8 and then every 16
 * hours, with the number of rejections in a row.
 */
export const rejectReversal = async (
  db: Db,
  id: string,
  { error, errorCode }: TransferFailure,
): Promise<void> => {
  await db.query(
    `UPDATE transfer_reversals r SET status = 'rejected', error = $2, error_code = $3,
       next_try_at = now() + interval '1 hour' * power(2, least(4,
         (SELECT count(*) FROM transfer_reversals earlier
          WHERE earlier.transfer = r.transfer AND earlier.status = 'rejected'
            AND earlier.created_at > coalesce((SELECT max(made.created_at) FROM transfer_reversals made
              WHERE made.transfer = r.transfer AND made.status = 'made'), '-infinity'))))
     WHERE r.id = $1 AND r.status = 'unknown'`,
    [id, error, errorCode],
  );
};

interface MadeReversal {
  /** Stripe's id of the transfer. */
  transferId: string;
  reversalId: string;
  /** The row that its metadata names; null if it was made without us. */
  rowId: string | null;
  cents: number;
  createdAt: Date;
  /** Whether what it returned waits for an admin. */
  isReturned: boolean;
}

/** Records a reversal that Stripe made, also one whose row is lost. No-op if it is recorded. Record its transfer first. */
export const recordReversal = async (tx: Transaction, reversal: MadeReversal): Promise<void> => {
  const { transferId, reversalId, rowId, cents, createdAt, isReturned: waits } = reversal;
  const { rowCount } = await tx.query(
    `UPDATE transfer_reversals SET status = 'made', reversal_id = $2, made_at = $3, error_code = NULL, error = NULL,
       next_try_at = 'infinity'
     WHERE id = $1 AND (status <> 'made' OR reversal_id = $2)`,
    [rowId, reversalId, createdAt],
  );
  if (rowCount !== 0) return;
  await tx.query(
    `INSERT INTO transfer_reversals (id, transfer, amount_cents, status, reversal_id, is_outside, accepted_at, made_at, next_try_at)
     SELECT CASE WHEN $1::uuid IS NULL OR EXISTS (SELECT FROM transfer_reversals r WHERE r.id = $1) THEN uuidv7() ELSE $1 END,
       t.id, $3, 'made', $2, $1 IS NULL, CASE WHEN NOT $5 THEN now() END, $4, 'infinity'
     FROM transfers t WHERE t.transfer_id = $6
     ON CONFLICT (reversal_id) DO NOTHING`,
    [rowId, reversalId, cents, createdAt, waits, transferId],
  );
};

/** Whether money that a reversal in Stripe's dashboard returned to a share waits for an admin. */
export const hasReturnedMoney = async (
  tx: Transaction,
  { paymentId, bookingId }: ShareId,
): Promise<boolean> => {
  const { rowCount } = await tx.query(
    `SELECT FROM transfer_reversals r JOIN transfers t ON t.id = r.transfer
     WHERE t.payment_id = $1 AND t.booking_id = $2 AND ${isReturned} LIMIT 1`,
    [paymentId, bookingId],
  );
  return rowCount !== 0;
};
