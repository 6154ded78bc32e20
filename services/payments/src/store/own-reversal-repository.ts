import { columns, type Db, type Transaction } from '@lendtools/service-kit';

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
  { paymentId, bookingId }: { paymentId: string; bookingId: string },
): Promise<ReversibleTransfer[]> => {
  const { rows } = await db.query<ReversibleTransfer>(
    `SELECT ${transferColumns} FROM transfers t
     WHERE t.payment_id = $1 AND t.booking_id = $2 AND t.status = 'sent' ORDER BY t.id`,
    [paymentId, bookingId],
  );
  return rows.filter(({ amountCents, reversedCents }) => amountCents > reversedCents);
};

/** Whether the outcome of a reversal of the share is unknown. */
export const isShareReversing = async (
  db: Db,
  { paymentId, bookingId }: { paymentId: string; bookingId: string },
): Promise<boolean> => {
  const { rowCount } = await db.query(
    `SELECT FROM transfers t JOIN transfer_reversals r ON r.transfer = t.id
     WHERE t.payment_id = $1 AND t.booking_id = $2 AND r.status = 'unknown' LIMIT 1`,
    [paymentId, bookingId],
  );
  return rowCount !== 0;
};

/** Schedules the task again, if the transfer's reversal, or the one after a rejected one, is not due yet. @returns whether that is so */
export const awaitReversal = async (db: Db, transfer: string): Promise<boolean> => {
  const { rowCount } = await db.query(
    `UPDATE transfer_reversals SET next_try_at = next_try_at
     WHERE transfer = $1 AND status <> 'made' AND next_try_at > now() AND next_try_at < 'infinity'`,
    [transfer],
  );
  return rowCount !== 0;
};

/** Until a sender that died is replaced. */
const lease = `power(2, least(tries, 5)) * interval '1 second' + interval '15 seconds'`;

/** Claims the transfer's unknown reversal, if it is due. The claim is a lease that grows with the tries. */
export const claimReversal = async (db: Db, transfer: string): Promise<OwnReversal | undefined> => {
  const { rows } = await db.query<OwnReversal>(
    `UPDATE transfer_reversals SET tries = tries + 1, next_try_at = now() + ${lease}
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
    `INSERT INTO transfer_reversals (transfer, amount_cents, tries, next_try_at) VALUES ($1, $2, 1, now() + interval '17 seconds')
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

/** Sends a reversal again in a few seconds: Stripe did not say whether it was made. */
export const retryReversal = async (
  db: Db,
  id: string,
  { error, errorCode, freshKey }: { error: string; errorCode: string | null; freshKey: boolean },
): Promise<void> => {
  await db.query(
    `UPDATE transfer_reversals SET error = $2, error_code = $3, attempt = attempt + $4,
       next_try_at = now() + power(2, least(tries, 5)) * interval '1 second'
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
  { error, errorCode }: { error: string; errorCode: string | null },
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
