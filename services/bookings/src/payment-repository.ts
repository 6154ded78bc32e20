import type { EventData, ListedPayment } from '@lendtools/contracts';
import type { Db, RowRange, Transaction } from '@lendtools/service-kit';

/** @returns whether it inserted the payment, that is whether it was not recorded yet */
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

/** Filters out the payments that are recorded already. */
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
 * Stores how much of a payment was refunded in Stripe's dashboard or is disputed. Ignores versions older than the stored
 * one, so events may arrive out of order.
 * @returns whether the stored values changed
 */
export const saveStateAtStripe = async (
  tx: Transaction,
  paymentId: string,
  { version, outsideCents, disputedCents, dispute, ...sums }: AtStripe,
): Promise<boolean> => {
  // Older payments replicas send no `heldCents`, and older bookings replicas store a version without it. So a repeated
  // version may still change the row.
  const heldCents = sums.heldCents ?? (dispute === 'open' ? disputedCents : 0);
  const { rows } = await tx.query<{ isChanged: boolean }>(
    `UPDATE payments SET stripe_version = $2, outside_cents = $3, disputed_cents = $4, held_cents = $5, dispute = $6
     WHERE id = $1 AND stripe_version <= $2
     RETURNING (old.outside_cents, old.disputed_cents, old.held_cents, old.dispute)
       IS DISTINCT FROM (new.outside_cents, new.disputed_cents, new.held_cents, new.dispute) AS "isChanged"`,
    [paymentId, version, outsideCents, disputedCents, heldCents, dispute],
  );
  return rows[0]?.isChanged === true;
};

const isUnassignedTooLong = `unassigned_cents > 0 AND recorded_at <= now() - $1 * interval '1 minute'`;

/** The ids of payments that were not fully assigned to bookings within the grace period. */
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

/** Locks a payment found by `findUnassigned`. Undefined if another replica has locked it, or if it was assigned or refunded meanwhile. */
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

/** Locks a renter's payments without a hold that still have unassigned money, oldest first. */
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

/** The renter's newest payment without a hold in the last `minutes`, used up or not, unless it was rejected. */
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
 * Marks the unallocated part of a payment as rejected, to be refunded. Money that was refunded in Stripe's dashboard or
 * lost in a dispute is deducted from that part. Money that a bank only holds is included: the payments service sends it
 * once the dispute is won. `rejectRecovered` adds what was deducted, if it returns.
 * @returns undefined if all of the payment is allocated or rejected already
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
 * Adds what `rejectRest` deducted, once the dashboard's refund has failed or the bank has returned the money. The amount
 * owed is computed from the payment's sums, and `rejected_cents` only grows. The payments service handles dashboard
 * refunds that come after this.
 * @returns undefined if no more is owed than was rejected already
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
