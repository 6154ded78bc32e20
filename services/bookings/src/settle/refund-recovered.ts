import type { Transaction } from '@lendtools/service-kit';
import { sumLeft } from '../domain/booking.ts';
import { areSharesKnownSql, lockAllocations } from '../store/allocation-repository.ts';
import { type BookingRow, bookingColumns } from '../store/booking-repository.ts';
import { namesOfHold } from '../store/hold-repository.ts';
import { rejectRecovered } from '../store/payment-repository.ts';
import { orderRefunds } from '../store/refund-repository.ts';
import { refundParts } from './refund-parts.ts';

/**
 * Refunds withheld money once a dashboard refund has failed or a lost dispute is reversed. Publishes no event: the
 * payments service finds the refund when it reconciles. Lock the payment and its bookings first.
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

/** Returns nothing while the shares are estimated: a refund is final, and could take the money of another booking. */
const findWithheld = async (
  tx: Transaction,
  paymentId: string,
): Promise<(BookingRow & { withheldCents: number })[]> => {
  const { rows } = await tx.query<BookingRow & { withheldCents: number }>(
    `SELECT ${bookingColumns}, b.withheld_cents AS "withheldCents" FROM bookings b
     WHERE b.withheld_cents > 0 AND b.id IN (
       SELECT a.booking_id FROM allocations a JOIN payments p ON p.id = a.payment_id WHERE p.id = $1 AND ${areSharesKnownSql})
     ORDER BY b.id`,
    [paymentId],
  );
  return rows;
};
