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

/** Orders the part of a payment that pays for no booking. @returns undefined if there is none */
export const rejectRest = async (
  tx: Transaction,
  paymentId: string,
): Promise<{ userId: string; refundCents: number } | undefined> => {
  const { rows } = await tx.query<{ userId: string; refundCents: number }>(
    `UPDATE payments SET unassigned_cents = 0, rejected_cents = unassigned_cents
     WHERE id = $1 AND unassigned_cents > 0
     RETURNING user_id AS "userId", rejected_cents AS "refundCents"`,
    [paymentId],
  );
  return rows[0];
};
