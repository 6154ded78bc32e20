import type { Logger, Transaction } from '@lendtools/service-kit';
import { fitRefunds } from './fit-refunds.ts';
import { type NewRefund, requestRefund } from './refund-repository.ts';

interface Order extends Pick<NewRefund, 'bookingId' | 'grantId' | 'reason' | 'toolNames'> {
  refunds: { paymentId: string; refundCents: number }[];
}

/**
 * Promises what bookings has decided, as far as it has not gone back in Stripe's dashboard or to a bank meanwhile. In id
 * order: two orders that draw on the same payments must lock them the same way round.
 * @returns whether any of it was not promised before
 */
export const requestRefunds = async (
  tx: Transaction,
  { refunds, ...order }: Order,
  logger: Logger,
): Promise<boolean> => {
  let isNew = false;
  for (const { paymentId, refundCents } of refunds.toSorted(byPayment)) {
    const isAdded = await requestRefund(tx, { ...order, paymentId, amountCents: refundCents });
    if (isAdded) await fitRefunds(tx, paymentId, logger);
    isNew ||= isAdded;
  }
  return isNew;
};

const byPayment = (one: { paymentId: string }, other: { paymentId: string }): number =>
  one.paymentId.localeCompare(other.paymentId);
