import { columns, type Db, type Transaction } from '@lendtools/service-kit';

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

export interface StoredReversal {
  id: string;
  /** The id of the row in `transfers`. */
  transfer: string;
  amountCents: number;
  status: 'unknown' | 'made' | 'rejected';
  /** Stripe's id. */
  reversalId: string | null;
  /** Whether it was made without us. */
  isOutside: boolean;
  attempt: number;
  tries: number;
}

/** The booking's part of a payment. */
export interface ShareId {
  paymentId: string;
  bookingId: string;
}

const transferColumns = columns(
  `id paymentId bookingId ownerId accountId amountCents status transferId attempt withoutSource tries errorCode error createdAt sentAt`,
);
const selected = `SELECT ${transferColumns} FROM transfers`;

/** Until a sender that died is replaced. */
const lease = `power(2, least(tries, 5)) * interval '1 second' + interval '15 seconds'`;

/** The transfer of a share whose outcome is unknown. */
export const findUnfinished = async (
  db: Db,
  { paymentId, bookingId }: ShareId,
): Promise<StoredTransfer | undefined> => {
  const { rows } = await db.query<StoredTransfer>(
    `${selected} WHERE payment_id = $1 AND booking_id = $2 AND status = 'unknown'`,
    [paymentId, bookingId],
  );
  return rows[0];
};

export const lockTransfer = async (
  tx: Transaction,
  id: string,
): Promise<StoredTransfer | undefined> => {
  const { rows } = await tx.query<StoredTransfer>(`${selected} WHERE id = $1 FOR UPDATE`, [id]);
  return rows[0];
};

/** Claims the share's unknown transfer, if it is due. The claim is a lease that grows with the tries. */
export const claimTransfer = async (
  db: Db,
  { paymentId, bookingId }: ShareId,
): Promise<StoredTransfer | undefined> => {
  const { rows } = await db.query<StoredTransfer>(
    `UPDATE transfers SET tries = tries + 1, next_try_at = now() + ${lease}
     WHERE payment_id = $1 AND booking_id = $2 AND status = 'unknown' AND next_try_at <= now() RETURNING ${transferColumns}`,
    [paymentId, bookingId],
  );
  return rows[0];
};
