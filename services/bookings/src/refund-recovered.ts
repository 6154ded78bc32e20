import type { Transaction } from '@lendtools/service-kit';
import { lockAllocations } from './allocation-repository.ts';
import { type BookingRow, bookingColumns } from './booking-repository.ts';
import { type RefundableAllocation, sumLeft, sumUnrefunded } from './domain/booking.ts';
import { rejectRecovered } from './payment-repository.ts';
import { namesOfHold } from './purchase-repository.ts';
import { refundParts } from './refund-parts.ts';
import { orderRefunds } from './refund-repository.ts';

/**
 * Records what a cancellation or a change owes beyond what it refunds, because that part was refunded in Stripe's
 * dashboard or lost in a dispute. Adds it to what an earlier change of the booking withheld.
 */
export const withholdRefund = async (
  tx: Transaction,
  bookingId: string,
  {
    allocations,
    owedCents,
    refundCents,
  }: { allocations: RefundableAllocation[]; owedCents: number; refundCents: number },
): Promise<void> => {
  await tx.query(
    'UPDATE bookings SET withheld_cents = least($2, withheld_cents + $3) - $4 WHERE id = $1',
    [bookingId, sumUnrefunded(allocations), owedCents, refundCents],
  );
};

/**
 * Orders the refund of withheld money that has returned, because a refund in Stripe's dashboard failed or a bank reversed
 * a lost dispute. Each order has its own key. Publishes no event: the payments service finds the order when it reconciles
 * refunds. The payment and its bookings must be locked.
 */
export const refundRecovered = async (tx: Transaction, paymentId: string): Promise<void> => {
  await refundRejected(tx, paymentId);
  for (const booking of await findWithheld(tx, paymentId)) {
    const found = await lockAllocations(tx, booking.id, { withHeld: true });
    const allocations = found.filter((one) => one.paymentId === paymentId);
    const refundCents = Math.min(sumLeft(allocations), booking.withheldCents);
    if (refundCents === 0) continue;
    const reason = booking.status === 'cancelled' ? 'cancelled' : 'changed';
    const order = { allocations, refundCents, grantId: null, reason } as const;
    await refundParts(tx, booking, { ...order, isRecovered: true });
    await tx.query('UPDATE bookings SET withheld_cents = withheld_cents - $2 WHERE id = $1', [
      booking.id,
      refundCents,
    ]);
  }
};

const refundRejected = async (tx: Transaction, paymentId: string): Promise<void> => {
  const recovered = await rejectRecovered(tx, paymentId);
  if (!recovered) return;
  const { holdId, refundCents } = recovered;
  await orderRefunds(tx, {
    bookingId: null,
    grantId: null,
    isRecovered: true,
    reason: holdId === null ? 'unassigned' : 'slot-lost',
    toolNames: holdId === null ? [] : await namesOfHold(tx, holdId),
    refunds: [{ paymentId, refundCents }],
  });
};

const findWithheld = async (
  tx: Transaction,
  paymentId: string,
): Promise<(BookingRow & { withheldCents: number })[]> => {
  const { rows } = await tx.query<BookingRow & { withheldCents: number }>(
    `SELECT ${bookingColumns}, b.withheld_cents AS "withheldCents" FROM bookings b
     WHERE b.withheld_cents > 0 AND b.id IN (SELECT booking_id FROM draws WHERE payment_id = $1) ORDER BY b.id`,
    [paymentId],
  );
  return rows;
};
