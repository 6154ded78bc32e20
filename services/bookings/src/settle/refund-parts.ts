import type { RefundOwed } from '@lendtools/contracts';
import type { Transaction } from '@lendtools/service-kit';
import { type RefundableAllocation, type RefundPart, spreadRefund } from '../domain/booking.ts';
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
  } & Pick<RefundOwed, 'grantId' | 'reason'>,
): Promise<RefundPart[]> => {
  const refunds = spreadRefund(allocations, refundCents);
  for (const refund of refunds) await saveRefund(tx, bookingId, refund);
  await orderRefunds(tx, { bookingId, ...order, toolNames: [name], refunds });
  return refunds;
};
