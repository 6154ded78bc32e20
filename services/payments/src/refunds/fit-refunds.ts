import type { Logger, Transaction } from '@lendtools/service-kit';
import {
  availableCentsOf,
  excessCentsOf,
  reserveRefund,
  withdrawRefund,
} from '../domain/payment.ts';
import { countRefund } from '../store/payment-metrics.ts';
import { lockPayment, type StoredPayment } from '../store/payment-repository.ts';
import {
  lockUnsentRefunds,
  lockWithdrawnRefunds,
  renewRefund,
  shrinkRefund,
  voidRefund,
} from '../store/refund-repository.ts';
import { savePayment } from '../store/save-payment.ts';

/** Withdraws reserved refunds whose money was refunded or lost at Stripe. Reserves them again once the money is back. */
export const fitRefunds = async (
  tx: Transaction,
  paymentId: string,
  logger: Logger,
): Promise<void> => {
  const payment = await lockPayment(tx, paymentId);
  if (excessCentsOf(payment) > 0) await withdraw(tx, payment, logger);
  else if (availableCentsOf(payment) > 0) await renew(tx, payment, logger);
};

/** Withdraws the newest refunds first, and only those that Stripe does not have yet. */
const withdraw = async (tx: Transaction, before: StoredPayment, logger: Logger): Promise<void> => {
  let payment = before;
  for (const refund of await lockUnsentRefunds(tx, payment.id)) {
    const cents = Math.min(excessCentsOf(payment), refund.amountCents);
    if (cents === 0) return;
    if (cents === refund.amountCents) {
      await voidRefund(tx, refund.key);
      countRefund(tx, 'voided');
    } else await shrinkRefund(tx, refund.key, cents);
    payment = await savePayment(tx, payment, withdrawRefund(payment, cents));
    logger.warn(
      { refund: refund.key, cents },
      'withdrew cents of a reserved refund that were returned another way',
    );
  }
};

const renew = async (tx: Transaction, before: StoredPayment, logger: Logger): Promise<void> => {
  let payment = before;
  for (const refund of await lockWithdrawnRefunds(tx, payment.id)) {
    const cents = Math.min(availableCentsOf(payment), refund.withdrawnCents);
    if (cents === 0) return;
    await renewRefund(tx, refund, cents);
    countRefund(tx, 'pending');
    payment = await savePayment(tx, payment, reserveRefund(payment, cents));
    logger.warn({ refund: refund.key, cents }, 'reserved withdrawn cents of a refund again');
  }
};
