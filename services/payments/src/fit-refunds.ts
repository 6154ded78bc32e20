import type { Logger, Transaction } from '@lendtools/service-kit';
import { excessOf, withdrawRefund } from './domain/payment.ts';
import { lockPayment, savePayment } from './payment-repository.ts';
import { lockUnsentRefunds, shrinkRefund, voidRefund } from './refund-repository.ts';

/**
 * Takes promises back that can't be kept: their money has gone another way, refunded in Stripe's dashboard or lost to a
 * dispute. The newest go first. What is at Stripe already stays: Stripe gives back no more than was charged.
 */
export const voidExcessRefunds = async (
  tx: Transaction,
  paymentId: string,
  logger: Logger,
): Promise<void> => {
  let payment = await lockPayment(tx, paymentId);
  if (excessOf(payment) === 0) return;
  for (const refund of await lockUnsentRefunds(tx, paymentId)) {
    const cents = Math.min(excessOf(payment), refund.amountCents);
    if (cents === 0) return;
    if (cents === refund.amountCents) await voidRefund(tx, refund.key);
    else await shrinkRefund(tx, refund.key, cents);
    const withdrawn = withdrawRefund(payment, cents);
    await savePayment(tx, payment, { payment: withdrawn, event: null });
    payment = { ...payment, ...withdrawn };
    logger.warn({ refund: refund.key, cents }, 'what a refund was to give has gone back already');
  }
};
