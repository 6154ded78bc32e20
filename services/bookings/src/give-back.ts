import type { RefundOwed } from '@lendtools/contracts';
import type { Transaction } from '@lendtools/service-kit';
import type { BookingRow } from './booking-repository.ts';
import { type RefundableDraw, type RefundPart, spreadRefund } from './domain/booking.ts';
import { noteRefund } from './draw-repository.ts';
import { orderRefunds } from './refund-repository.ts';

/** Sends cents of a booking back to the payments that they came from; returns how much to which. */
export const giveBack = async (
  tx: Transaction,
  { id: bookingId, name }: BookingRow,
  {
    draws,
    refundCents,
    ...order
  }: { draws: RefundableDraw[]; refundCents: number } & Pick<RefundOwed, 'grantId' | 'reason'>,
): Promise<RefundPart[]> => {
  const refunds = spreadRefund(draws, refundCents);
  for (const refund of refunds) await noteRefund(tx, bookingId, refund);
  await orderRefunds(tx, { bookingId, ...order, toolNames: [name], refunds });
  return refunds;
};
