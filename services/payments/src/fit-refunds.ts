import type { Logger, Transaction } from '@lendtools/service-kit';
import { excessOf, reserveRefund, roomOf, withdrawRefund } from './domain/payment.ts';
import { countRefund } from './payment-metrics.ts';
import { lockPayment, type StoredPayment } from './payment-repository.ts';
import {
  lockUnsentRefunds,
  lockWithdrawnRefunds,
  renewRefund,
  shrinkRefund,
  voidRefund,
} from './refund-repository.ts';
import { savePayment } from './save-payment.ts';

/**
 * Fits a payment's promised refunds to the money that is left: withdraws what was refunded in Stripe's dashboard or lost to a
 * dispute, and promises it again once it is available again.
 */
export const fitRefunds = async (
  tx: Transaction,
  paymentId: string,
  logger: Logger,
): Promise<void> => {
  const payment = await lockPayment(tx, paymentId);
  if (excessOf(payment) > 0) await withdraw(tx, payment, logger);
  else if (roomOf(payment) > 0) await renew(tx, payment, logger);
};

/** Withdraws the newest refunds first. Keeps those that Stripe already has: Stripe refunds no more than was charged. */
const withdraw = async (tx: Transaction, before: StoredPayment, logger: Logger): Promise<void> => {
  let payment = before;
  for (const refund of await lockUnsentRefunds(tx, payment.id)) {
    const cents = Math.min(excessOf(payment), refund.amountCents);
    if (cents === 0) return;
    if (cents === refund.amountCents) {
      await voidRefund(tx, refund.key);
      countRefund(tx, 'voided');
    } else await shrinkRefund(tx, refund.key, cents);
    payment = await savePayment(tx, payment, withdrawRefund(payment, cents));
    logger.warn(
      { refund: refund.key, cents },
      'withdrew cents of a promised refund that were returned another way',
    );
  }
};

/** Promises refunds again that were withdrawn, the oldest first, as far as money is available again. */
const renew = async (tx: Transaction, before: StoredPayment, logger: Logger): Promise<void> => {
  let payment = before;
  for (const refund of await lockWithdrawnRefunds(tx, payment.id)) {
    const cents = Math.min(roomOf(payment), refund.withdrawnCents);
    if (cents === 0) return;
    await renewRefund(tx, refund, cents);
    countRefund(tx, 'pending');
    payment = await savePayment(tx, payment, reserveRefund(payment, cents));
    logger.warn({ refund: refund.key, cents }, 'promised withdrawn cents of a refund again');
  }
};
