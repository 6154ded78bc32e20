import { columns, type Db, type Transaction } from '@lendtools/service-kit';
import type { ShareId } from '../domain/share.ts';
import { firstLeaseSql, freshKeySql, leaseSql, retrySql } from './retry-times.ts';

/** `unknown`: it may or may not be at Stripe. `rejected`: it is not, and another row replaces it. */
export type TransferStatus = 'unknown' | 'sent' | 'rejected';

export interface NewTransfer {
  paymentId: string;
  bookingId: string;
  ownerId: string;
  /** Stripe's id of the owner's account. */
  accountId: string;
  amountCents: number;
}

export interface StoredTransfer extends NewTransfer {
  id: string;
  status: TransferStatus;
  /** Stripe's id. */
  transferId: string | null;
  /** Part of the idempotency key. Incremented when the next try needs a fresh key. */
  attempt: number;
  withoutSource: boolean;
  tries: number;
  errorCode: string | null;
  error: string | null;
  createdAt: Date;
  sentAt: Date | null;
}

const transferColumns = columns(
  `id paymentId bookingId ownerId accountId amountCents status transferId attempt withoutSource tries errorCode error createdAt sentAt`,
);

/** The id of a share's task. */
export const shareKey = ({ paymentId, bookingId }: ShareId): string => `${paymentId}:${bookingId}`;

export const shareIdOf = (key: string): ShareId => {
  const [paymentId = '', bookingId = ''] = key.split(':');
  return { paymentId, bookingId };
};

/** Whether the share has a transfer whose outcome is unknown. */
export const hasUnknownTransfer = async (
  db: Db,
  { paymentId, bookingId }: ShareId,
): Promise<boolean> => {
  const { rowCount } = await db.query(
    `SELECT FROM transfers WHERE payment_id = $1 AND booking_id = $2 AND status = 'unknown'`,
    [paymentId, bookingId],
  );
  return rowCount !== 0;
};

/**
 * Claims the share's unknown transfer, if it is due. The claim is a lease that grows with the tries, so that another replica
 * sends it again if this one dies.
 */
export const claimTransfer = async (
  db: Db,
  { paymentId, bookingId }: ShareId,
): Promise<StoredTransfer | undefined> => {
  const { rows } = await db.query<StoredTransfer>(
    `UPDATE transfers SET tries = tries + 1, next_try_at = ${leaseSql}
     WHERE payment_id = $1 AND booking_id = $2 AND status = 'unknown' AND next_try_at <= now() RETURNING ${transferColumns}`,
    [paymentId, bookingId],
  );
  return rows[0];
};

const isWaiting = `status <> 'sent' AND next_try_at > now() AND next_try_at < 'infinity'`;

/** If the share's transfer is not due yet, fires the trigger that schedules it and returns true. */
export const rescheduleTransfer = async (
  db: Db,
  { paymentId, bookingId }: ShareId,
): Promise<boolean> => {
  const { rowCount } = await db.query(
    `UPDATE transfers SET next_try_at = next_try_at WHERE payment_id = $1 AND booking_id = $2 AND ${isWaiting}`,
    [paymentId, bookingId],
  );
  return rowCount !== 0;
};

/** Inserts a transfer, which is claimed already. */
export const insertTransfer = async (
  tx: Transaction,
  { paymentId, bookingId, ownerId, accountId, amountCents }: NewTransfer,
): Promise<StoredTransfer> => {
  const { rows } = await tx.query<StoredTransfer>(
    `INSERT INTO transfers (payment_id, booking_id, owner_id, account_id, amount_cents, tries, next_try_at)
     VALUES ($1, $2, $3, $4, $5, 1, ${firstLeaseSql}) RETURNING ${transferColumns}`,
    [paymentId, bookingId, ownerId, accountId, amountCents],
  );
  return rows[0] as StoredTransfer;
};

/** Another row replaces the share's rejected transfers, or nothing is left to transfer. */
export const endRejectedTransfers = async (
  tx: Transaction,
  { paymentId, bookingId }: ShareId,
): Promise<void> => {
  await tx.query(
    `UPDATE transfers SET next_try_at = 'infinity'
     WHERE payment_id = $1 AND booking_id = $2 AND status = 'rejected' AND next_try_at < 'infinity'`,
    [paymentId, bookingId],
  );
};

/** Ends the share's unknown transfer: another one sent its money. @returns whether there was one */
export const endUnknownTransfer = async (
  tx: Transaction,
  { paymentId, bookingId }: ShareId,
): Promise<boolean> => {
  const { rowCount } = await tx.query(
    `UPDATE transfers SET status = 'rejected', error_code = 'replaced', error = 'Another transfer sent this money.',
       next_try_at = 'infinity'
     WHERE payment_id = $1 AND booking_id = $2 AND status = 'unknown'`,
    [paymentId, bookingId],
  );
  return rowCount !== 0;
};

export interface SentTransfer extends NewTransfer {
  /** The row that the metadata names; a row that has another transfer already stays as it is. */
  rowId: string;
  transferId: string;
  sentAt: Date;
}

/**
 * Records a transfer that Stripe made, also one whose row is lost. Lock the payment first.
 * @returns its row; undefined if it was recorded before
 */
export const recordTransfer = async (
  tx: Transaction,
  { rowId, transferId, sentAt, ...transfer }: SentTransfer,
): Promise<StoredTransfer | undefined> => {
  const { rows: updated } = await tx.query<StoredTransfer>(
    `UPDATE transfers SET status = 'sent', transfer_id = $2, sent_at = $3, error_code = NULL, error = NULL, next_try_at = 'infinity'
     WHERE id = $1 AND status <> 'sent' RETURNING ${transferColumns}`,
    [rowId, transferId, sentAt],
  );
  if (updated[0]) return updated[0];
  const { paymentId, bookingId, ownerId, accountId, amountCents } = transfer;
  const { rows: inserted } = await tx.query<StoredTransfer>(
    `INSERT INTO transfers (id, payment_id, booking_id, owner_id, account_id, amount_cents, status, transfer_id, sent_at, next_try_at)
     SELECT CASE WHEN EXISTS (SELECT FROM transfers WHERE id = $1) THEN uuidv7() ELSE $1 END, $4, $5, $6, $7, $8, 'sent', $2, $3,
       'infinity'
     ON CONFLICT (transfer_id) DO NOTHING RETURNING ${transferColumns}`,
    [rowId, transferId, sentAt, paymentId, bookingId, ownerId, accountId, amountCents],
  );
  return inserted[0];
};

/** Which of these transfers of Stripe are not recorded. */
export const findUnrecorded = async (db: Db, transferIds: string[]): Promise<string[]> => {
  const { rows } = await db.query<{ id: string }>(
    `SELECT given.id FROM unnest($1::text[]) AS given (id)
     WHERE NOT EXISTS (SELECT FROM transfers t WHERE t.transfer_id = given.id)`,
    [transferIds],
  );
  return rows.map(({ id }) => id);
};

export interface TransferFailure {
  error: string;
  errorCode: string | null;
}

/** Looks for a transfer of unknown outcome again in ten minutes. */
export const delayTransfer = async (tx: Transaction, id: string): Promise<void> => {
  await tx.query(
    `UPDATE transfers SET next_try_at = now() + interval '10 minutes' WHERE id = $1 AND status = 'unknown'`,
    [id],
  );
};

/** Sends a transfer again in a few seconds, or under another key in a minute: Stripe did not say whether it was made. */
export const sendAgainLater = async (
  db: Db,
  id: string,
  failure: TransferFailure & { freshKey: boolean; withoutSource: boolean },
): Promise<void> => {
  const { error, errorCode, freshKey, withoutSource } = failure;
  await db.query(
    `UPDATE transfers SET error = $2, error_code = $3, attempt = attempt + $4, without_source = without_source OR $5,
       next_try_at = CASE WHEN $4 = 1 AND NOT $5 THEN ${freshKeySql} ELSE ${retrySql} END
     WHERE id = $1 AND status = 'unknown'`,
    [id, error, errorCode, freshKey ? 1 : 0, withoutSource],
  );
};

/**
 * Marks an unknown transfer as rejected. The next one follows after 1, 2, 4, 8 and then every 16 hours, with the number of the
 * share's rejected transfers since one was sent.
 * @returns whether it was unknown
 */
export const rejectTransfer = async (
  tx: Transaction,
  id: string,
  { error, errorCode }: TransferFailure,
): Promise<boolean> => {
  const { rowCount } = await tx.query(
    `WITH earlier AS (
       SELECT count(*) AS failures FROM transfers t JOIN transfers e USING (payment_id, booking_id)
       WHERE t.id = $1 AND e.status = 'rejected' AND NOT EXISTS (
         SELECT FROM transfers s WHERE s.payment_id = t.payment_id AND s.booking_id = t.booking_id AND s.status = 'sent' AND s.id > e.id))
     UPDATE transfers t SET status = 'rejected', error = $2, error_code = $3,
       next_try_at = now() + power(2, least(failures, 4)) * interval '1 hour'
     FROM earlier WHERE t.id = $1 AND t.status = 'unknown'`,
    [id, error, errorCode],
  );
  return rowCount !== 0;
};

/** Makes an owner's rejected transfers due. */
export const resumeRejected = async (tx: Transaction, ownerId: string): Promise<void> => {
  await tx.query(
    `UPDATE transfers SET next_try_at = now()
     WHERE owner_id = $1 AND status = 'rejected' AND next_try_at > now() AND next_try_at < 'infinity'`,
    [ownerId],
  );
};
