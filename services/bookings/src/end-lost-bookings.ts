import type { Transaction } from '@lendtools/service-kit';
import { cancelBySystem } from './cancel-now.ts';
import { type AtStripe, withhold } from './payment-repository.ts';
import { refundRecovered } from './refund-recovered.ts';

interface PaymentChange {
  isKnown: boolean;
  /** Whether the payment's sums changed. */
  isNews: boolean;
  /** The bookings that were cancelled just now. */
  cancelledIds: string[];
}

/**
 * Records what was refunded or disputed at Stripe. Cancels the bookings that a lost dispute left unpaid, unless they have
 * started; refunds what a decision had to withhold and what has returned since. Decides by the newest known sums, so that
 * events may come twice and in any order.
 */
export const takeInPaymentChange = async (
  tx: Transaction,
  paymentId: string,
  atStripe: AtStripe,
): Promise<PaymentChange> => {
  if (!(await lockWithBookings(tx, paymentId)))
    return { isKnown: false, isNews: false, cancelledIds: [] };
  const isNews = await withhold(tx, paymentId, atStripe);
  const cancelledIds: string[] = [];
  for (const id of await findLostBookings(tx, paymentId))
    if ((await cancelBySystem(tx, id, 'dispute-lost')) === 'cancelled') cancelledIds.push(id);
  await refundRecovered(tx, paymentId);
  return { isKnown: true, isNews, cancelledIds };
};

/**
 * Locks the payment's bookings, then all of their payments: the order in which a cancellation locks them.
 * @returns whether the payment is known
 */
const lockWithBookings = async (tx: Transaction, paymentId: string): Promise<boolean> => {
  const bookings = await tx.query<{ id: string }>(
    `SELECT id FROM bookings WHERE id IN (SELECT booking_id FROM draws WHERE payment_id = $1)
     ORDER BY id FOR UPDATE`,
    [paymentId],
  );
  const { rows } = await tx.query<{ id: string }>(
    `SELECT id FROM payments
     WHERE id = $1 OR id IN (SELECT payment_id FROM draws WHERE booking_id = ANY($2)) ORDER BY id FOR UPDATE`,
    [paymentId, bookings.rows.map(({ id }) => id)],
  );
  return rows.some(({ id }) => id === paymentId);
};

/**
 * The confirmed bookings for which the payment has nothing left, because a bank has it. Stripe does not say which booking of
 * a cart a dispute is about, so a loss of a part leaves a share to each of them, and admins decide.
 */
const findLostBookings = async (tx: Transaction, paymentId: string): Promise<string[]> => {
  const { rows } = await tx.query<{ id: string }>(
    `SELECT b.id FROM draw_balances d
     JOIN bookings b ON b.id = d.booking_id
     JOIN payments p ON p.id = d.payment_id
     WHERE d.payment_id = $1 AND b.status = 'confirmed' AND p.disputed_cents > p.held_cents
       AND d.returnable_cents = 0 AND d.amount_cents > d.refunded_cents + d.outside_cents
     ORDER BY b.id`,
    [paymentId],
  );
  return rows.map(({ id }) => id);
};
