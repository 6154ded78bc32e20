import type { Transaction } from '@lendtools/service-kit';
import {
  areSharesKnownSql,
  estimateShares,
  type PublishedShares,
  saveShares,
} from '../store/allocation-repository.ts';
import { type AtStripe, saveStateAtStripe } from '../store/payment-repository.ts';
import { cancelBySystem } from './cancel-now.ts';

interface PaymentChange {
  /** The payment's sums, and what is gone of its shares; each if it is known. */
  atStripe?: AtStripe | undefined;
  shares?: PublishedShares | undefined;
}

interface Applied {
  isKnown: boolean;
  isChanged: boolean;
  cancelledIds: string[];
}

/**
 * Records refunds and disputes made at Stripe; the newest version wins. Cancels future bookings that a lost dispute
 * left unpaid.
 */
export const applyPaymentChange = async (
  tx: Transaction,
  paymentId: string,
  { atStripe, shares }: PaymentChange,
): Promise<Applied> => {
  if (!(await lockWithBookings(tx, paymentId)))
    return { isKnown: false, isChanged: false, cancelledIds: [] };
  const hasNewSums = atStripe !== undefined && (await saveStateAtStripe(tx, paymentId, atStripe));
  const hasNewShares = shares !== undefined && (await saveShares(tx, paymentId, shares));
  await estimateShares(tx, [paymentId]);
  const cancelledIds: string[] = [];
  for (const id of await findLostBookings(tx, paymentId))
    if ((await cancelBySystem(tx, id, 'dispute-lost')) === 'cancelled') cancelledIds.push(id);
  return { isKnown: true, isChanged: hasNewSums || hasNewShares, cancelledIds };
};

/** Locks the payment's bookings, then all payments of these bookings. @returns whether the payment is known */
export const lockWithBookings = async (tx: Transaction, paymentId: string): Promise<boolean> => {
  const bookings = await tx.query<{ id: string }>(
    `SELECT id FROM bookings WHERE id IN (SELECT booking_id FROM allocations WHERE payment_id = $1)
     ORDER BY id FOR UPDATE`,
    [paymentId],
  );
  const { rows } = await tx.query<{ id: string }>(
    `SELECT id FROM payments
     WHERE id = $1 OR id IN (SELECT payment_id FROM allocations WHERE booking_id = ANY($2)) ORDER BY id FOR UPDATE`,
    [paymentId, bookings.rows.map(({ id }) => id)],
  );
  return rows.some(({ id }) => id === paymentId);
};

/**
 * Finds bookings of which a lost dispute took what was left. Stripe names no booking, so partial losses need an admin. An
 * estimate is not enough: a cancellation is final.
 */
const findLostBookings = async (tx: Transaction, paymentId: string): Promise<string[]> => {
  const { rows } = await tx.query<{ id: string }>(
    `SELECT b.id FROM allocations a JOIN bookings b ON b.id = a.booking_id JOIN payments p ON p.id = a.payment_id
     WHERE a.payment_id = $1 AND ${areSharesKnownSql} AND b.status = 'confirmed'
       AND a.lost_cents > 0 AND a.returnable_cents = 0 AND a.amount_cents > a.refunded_cents + a.outside_cents
     ORDER BY b.id`,
    [paymentId],
  );
  return rows.map(({ id }) => id);
};
