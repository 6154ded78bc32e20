import type { EventData, ListedPayment } from '@lendtools/contracts';
import type { Db, RowRange, Transaction } from '@lendtools/service-kit';

/** @returns whether the payment was not known before */
export const insertPayment = async (
  tx: Transaction,
  { paymentId, userId, holdId, amountCents, succeededAt }: EventData<'PaymentSucceeded'>,
): Promise<boolean> => {
  const { rowCount } = await tx.query(
    `INSERT INTO payments (id, user_id, hold_id, amount_cents, unassigned_cents, succeeded_at)
     VALUES ($1, $2, $3, $4, $4, $5) ON CONFLICT DO NOTHING`,
    [paymentId, userId, holdId, amountCents, succeededAt],
  );
  return rowCount !== 0;
};

/** Returns the payments that are not recorded yet, in the given order. */
export const findUnknown = async <T extends { paymentId: string }>(
  db: Db,
  payments: T[],
): Promise<T[]> => {
  const { rows } = await db.query<{ id: string }>(
    'SELECT id FROM payments WHERE id = ANY ($1::uuid[])',
    [payments.map(({ paymentId }) => paymentId)],
  );
  const known = new Set(rows.map(({ id }) => id));
  return payments.filter(({ paymentId }) => !known.has(paymentId));
};

export type AtStripe = NonNullable<ListedPayment['atStripe']>;

/**
 * Keeps what of a payment was refunded in the dashboard, or is in dispute. The newest version counts, in whatever order they
 * come.
 * @returns whether that is news
 */
export const withhold = async (
  tx: Transaction,
  paymentId: string,
  { version, outsideCents, disputedCents, dispute, ...sums }: AtStripe,
): Promise<boolean> => {
  // Payments of before says only whether a bank holds any. A replica of before notes a version without what is held, so
  // the same version may bring news.
  const heldCents = sums.heldCents ?? (dispute === 'open' ? disputedCents : 0);
  const { rows } = await tx.query<{ isNews: boolean }>(
    `UPDATE payments SET stripe_version = $2, outside_cents = $3, disputed_cents = $4, held_cents = $5, dispute = $6
     WHERE id = $1 AND stripe_version <= $2
     RETURNING (old.outside_cents, old.disputed_cents, old.held_cents, old.dispute)
       IS DISTINCT FROM (new.outside_cents, new.disputed_cents, new.held_cents, new.dispute) AS "isNews"`,
    [paymentId, version, outsideCents, disputedCents, heldCents, dispute],
  );
  return rows[0]?.isNews === true;
};

const isUnassignedTooLong = `unassigned_cents > 0 AND recorded_at <= now() - $1 * interval '1 minute'`;

/** Payments that were not used for a booking in time. */
export const findUnassigned = async (
  db: Db,
  graceMinutes: number,
  { skip, limit }: RowRange,
): Promise<string[]> => {
  const { rows } = await db.query<{ id: string }>(
    `SELECT id FROM payments WHERE ${isUnassignedTooLong} AND id <> ALL ($2::uuid[]) ORDER BY recorded_at LIMIT $3`,
    [graceMinutes, skip, limit],
  );
  return rows.map(({ id }) => id);
};

/** Locks one of them; undefined where another replica has it, or it was used or refunded meanwhile. */
export const lockUnassigned = async (
  tx: Transaction,
  id: string,
  graceMinutes: number,
): Promise<{ id: string; holdId: string | null } | undefined> => {
  const { rows } = await tx.query<{ id: string; holdId: string | null }>(
    `SELECT id, hold_id AS "holdId" FROM payments
     WHERE ${isUnassignedTooLong} AND id = $2 FOR UPDATE SKIP LOCKED`,
    [graceMinutes, id],
  );
  return rows[0];
};

/** What a person paid without a hold and may still book with, oldest first, locked. */
export const lockUnassignedOf = async (
  tx: Transaction,
  userId: string,
): Promise<{ id: string; unassignedCents: number }[]> => {
  const { rows } = await tx.query<{ id: string; unassignedCents: number }>(
    `SELECT id, greatest(0, unassigned_cents - outside_cents - disputed_cents) AS "unassignedCents" FROM payments
     WHERE user_id = $1 AND hold_id IS NULL AND unassigned_cents > 0 ORDER BY succeeded_at, id FOR UPDATE`,
    [userId],
  );
  return rows;
};

/** Whether a person paid without a hold in the last minutes and may still book with it, or did so already. */
export const findRecentUnassignedOf = async (
  tx: Transaction,
  userId: string,
  minutes: number,
): Promise<{ id: string } | undefined> => {
  const { rows } = await tx.query<{ id: string }>(
    `SELECT id FROM payments WHERE user_id = $1 AND hold_id IS NULL AND rejected_cents = 0
       AND recorded_at > now() - $2 * interval '1 minute' ORDER BY recorded_at DESC LIMIT 1`,
    [userId, minutes],
  );
  return rows[0];
};

/**
 * Promises the unallocated part of a payment back to whoever made it. What was refunded in Stripe's dashboard, or lost
 * in a dispute, is taken to be of that part. What a bank only holds is promised as well, because nobody would come back to
 * it when the dispute is won: payments sends it then. `rejectRecovered` promises the rest if it returns.
 * @returns undefined where all of it is allocated, or promised back already
 */
export const rejectRest = async (
  tx: Transaction,
  paymentId: string,
): Promise<{ userId: string; refundCents: number } | undefined> => {
  const { rows } = await tx.query<{ userId: string; refundCents: number }>(
    `UPDATE payments p SET unassigned_cents = 0,
       rejected_cents = greatest(0, p.unassigned_cents - p.outside_cents - greatest(0, p.disputed_cents - p.held_cents))
     WHERE id = $1 AND unassigned_cents > 0
     RETURNING user_id AS "userId", rejected_cents AS "refundCents"`,
    [paymentId],
  );
  return rows[0];
};

/**
 * Promises what `rejectRest` had to leave out, once the dashboard's refund of it has failed or the bank has returned it. What a payment
 * owes follows from its sums, and its promises only grow: what is refunded in the dashboard after this, payments subtracts and restores.
 * @returns undefined if the payment owes no more than is promised
 */
export const rejectRecovered = async (
  tx: Transaction,
  paymentId: string,
): Promise<{ holdId: string | null; refundCents: number } | undefined> => {
  const { rows } = await tx.query<{ holdId: string | null; refundCents: number }>(
    `WITH owed AS (
       SELECT amount_cents - outside_cents - greatest(0, disputed_cents - held_cents)
         - (SELECT coalesce(sum(amount_cents), 0) FROM draws WHERE payment_id = $1) AS cents
       FROM payments WHERE id = $1)
     UPDATE payments p SET rejected_cents = owed.cents FROM owed
     WHERE id = $1 AND unassigned_cents = 0 AND owed.cents > p.rejected_cents
     RETURNING hold_id AS "holdId", (new.rejected_cents - old.rejected_cents) AS "refundCents"`,
    [paymentId],
  );
  return rows[0];
};
