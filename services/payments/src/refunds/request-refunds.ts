import type { RefundOwed } from '@lendtools/contracts';
import type { Logger, Transaction } from '@lendtools/service-kit';
import { reserveRefund } from '../domain/payment.ts';
import { countRefund } from '../store/payment-metrics.ts';
import { lockPayment } from '../store/payment-repository.ts';
import { insertRefund } from '../store/refund-repository.ts';
import { savePayment } from '../store/save-payment.ts';
import { fitRefunds } from './fit-refunds.ts';

/**
 * Reserves refunds that the bookings service ordered, except cents already refunded in Stripe's dashboard or lost to a bank.
 * Locks the payments in id order, so that two refund orders for the same payments can't deadlock.
 * @returns whether any of the refunds is new
 */
export const requestRefunds = async (
  tx: Transaction,
  refunds: readonly RefundOwed[],
  logger: Logger,
): Promise<boolean> => {
  let isNew = false;
  for (const refund of refunds.toSorted(byPayment)) {
    const isAdded = await requestRefund(tx, refund);
    if (isAdded) await fitRefunds(tx, refund.paymentId, logger);
    isNew ||= isAdded;
  }
  return isNew;
};

/** @returns whether the refund is new */
const requestRefund = async (tx: Transaction, refund: RefundOwed): Promise<boolean> => {
  const payment = await lockPayment(tx, refund.paymentId);
  if (!(await insertRefund(tx, refund))) return false;
  countRefund(tx, 'pending');
  await savePayment(tx, payment, reserveRefund(payment, refund.refundCents));
  return true;
};

const byPayment = (one: RefundOwed, other: RefundOwed): number =>
  one.paymentId.localeCompare(other.paymentId);
