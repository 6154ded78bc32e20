import type { RefundOwed } from '@lendtools/contracts';
import type { Transaction } from '@lendtools/service-kit';
import { saveRefund } from './allocation-repository.ts';
import type { BookingRow } from './booking-repository.ts';
import { type RefundableAllocation, type RefundPart, spreadRefund } from './domain/booking.ts';
import { orderRefunds } from './refund-repository.ts';

/** Splits a refund of a booking over its payments, and records and orders the parts. */
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
