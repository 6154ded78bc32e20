import type { RefundOwed } from '@lendtools/contracts';
import type { Transaction } from '@lendtools/service-kit';
import {
  type RefundableAllocation,
  type RefundPart,
  spreadRefund,
  sumUnrefunded,
} from '../domain/booking.ts';
import { saveRefund } from '../store/allocation-repository.ts';
import type { BookingRow } from '../store/booking-repository.ts';
import { orderRefunds } from '../store/refund-repository.ts';

/** Splits a booking's refund over its payments, and records each part for the payments service to send. */
export const refundParts = async (
  tx: Transaction,
  { id: bookingId, name }: BookingRow,
  {
    allocations,
    refundCents,
    ...order
  }: {
    allocations: RefundableAllocation[];
    refundCents: number;
    changeId?: string;
    isRecovered?: boolean;
  } & Pick<RefundOwed, 'grantId' | 'reason'>,
): Promise<RefundPart[]> => {
  const refunds = spreadRefund(allocations, refundCents);
  for (const refund of refunds) await saveRefund(tx, bookingId, refund);
  await orderRefunds(tx, { bookingId, ...order, toolNames: [name], refunds });
  return refunds;
};

/** Records how much of a refund is withheld, because the renter already got it by a dashboard refund or a dispute. */
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
