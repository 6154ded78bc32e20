import type { EventData, ListedPayment } from '@lendtools/contracts';
import type { Db, Transaction } from '@lendtools/service-kit';
import { graceMinutes } from '../domain/hold.ts';

/** @returns whether the payment was new */
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

/** Returns the payments that are not recorded yet. */
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

/** Stores a payment's refunds and disputes at Stripe, but ignores older versions. @returns whether anything changed */
export const saveStateAtStripe = async (
  tx: Transaction,
  paymentId: string,
  { version, outsideCents, disputedCents, heldCents, dispute }: AtStripe,
): Promise<boolean> => {
  const { rows } = await tx.query<{ isChanged: boolean }>(
    `UPDATE payments SET stripe_version = $2, outside_cents = $3, disputed_cents = $4, held_cents = $5, dispute = $6
     WHERE id = $1 AND stripe_version <= $2
     RETURNING (old.outside_cents, old.disputed_cents, old.held_cents, old.dispute)
       IS DISTINCT FROM (new.outside_cents, new.disputed_cents, new.held_cents, new.dispute) AS "isChanged"`,
    [paymentId, version, outsideCents, disputedCents, heldCents, dispute],
  );
  return rows[0]?.isChanged === true;
};

/** Locks a payment if bookings have not used it up. */
export const lockUnassigned = async (
  tx: Transaction,
  id: string,
): Promise<{ holdId: string | null; recordedAt: Date } | undefined> => {
  const { rows } = await tx.query<{ holdId: string | null; recordedAt: Date }>(
    `SELECT hold_id AS "holdId", recorded_at AS "recordedAt" FROM payments
     WHERE id = $1 AND unassigned_cents > 0 FOR UPDATE`,
    [id],
  );
  return rows[0];
};

/** Locks a renter's payments without a hold that bookings have not used up, oldest first. */
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

/** The renter's newest payment that has no hold and is in its grace period. May be used up, but not refunded. */
export const findRecentUnassignedOf = async (
  tx: Transaction,
  userId: string,
): Promise<{ id: string } | undefined> => {
  const { rows } = await tx.query<{ id: string }>(
    `SELECT id FROM payments WHERE user_id = $1 AND hold_id IS NULL AND rejected_cents = 0
       AND recorded_at > now() - interval '${graceMinutes} minutes' ORDER BY recorded_at DESC LIMIT 1`,
    [userId],
  );
  return rows[0];
};

/**
 * Refunds the part of a payment that pays for no booking, less what was refunded or lost at Stripe. Includes money that
 * a bank holds during a dispute: the payments service refunds that money once the dispute is won.
 * @returns undefined if nothing is left to refund
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
 * Orders the refund of what `rejectRest` deducted, once a dashboard refund has failed or a bank has returned the money.
 * Never lowers `rejected_cents`: if a dashboard refund follows an order, the payments service reduces the order.
 * @returns undefined if nothing more is owed
 */
export const rejectRecovered = async (
  tx: Transaction,
  paymentId: string,
): Promise<{ holdId: string | null; refundCents: number } | undefined> => {
  const { rows } = await tx.query<{ holdId: string | null; refundCents: number }>(
    `WITH owed AS (
       SELECT amount_cents - outside_cents - greatest(0, disputed_cents - held_cents)
         - (SELECT coalesce(sum(amount_cents), 0) FROM allocations WHERE payment_id = $1) AS cents
       FROM payments WHERE id = $1)
     UPDATE payments p SET rejected_cents = owed.cents FROM owed
     WHERE id = $1 AND unassigned_cents = 0 AND owed.cents > p.rejected_cents
     RETURNING hold_id AS "holdId", (new.rejected_cents - old.rejected_cents) AS "refundCents"`,
    [paymentId],
  );
  return rows[0];
};
