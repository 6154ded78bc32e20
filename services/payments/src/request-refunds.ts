import type { Logger, Transaction } from '@lendtools/service-kit';
import { reserveRefund } from './domain/payment.ts';
import { fitRefunds } from './fit-refunds.ts';
import { countRefund } from './payment-metrics.ts';
import { lockPayment } from './payment-repository.ts';
import { insertRefund, type NewRefund } from './refund-repository.ts';
import { savePayment } from './save-payment.ts';

interface Order extends Pick<NewRefund, 'bookingId' | 'grantId' | 'reason' | 'toolNames'> {
  refunds: { paymentId: string; refundCents: number }[];
}

/**
 * Promises what bookings has decided, as far as it has not gone back in Stripe's dashboard or to a bank meanwhile. In id
 * order: two orders that refund the same payments must lock them the same way round.
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

/**
 * Writes down that money must go back and reserves it on the payment, in the consumer's transaction; the job sends it.
 * @returns whether it was not promised before
 */
const requestRefund = async (tx: Transaction, refund: NewRefund): Promise<boolean> => {
  const payment = await lockPayment(tx, refund.paymentId);
  if (!(await insertRefund(tx, refund))) return false;
  countRefund(tx, 'pending');
  await savePayment(tx, payment, reserveRefund(payment, refund.amountCents));
  return true;
};

const byPayment = (one: { paymentId: string }, other: { paymentId: string }): number =>
  one.paymentId.localeCompare(other.paymentId);
