import type { RefundOwed } from '@lendtools/contracts';
import type { Logger, Transaction } from '@lendtools/service-kit';
import { reserveRefund, withdrawRefund } from '../domain/payment.ts';
import type { fitFills, RefundOrder } from '../domain/refund-fills.ts';
import { countRefund } from '../store/payment-metrics.ts';
import type { StoredPayment } from '../store/payment-repository.ts';
import {
  forgetWithdrawn,
  insertRefund,
  shrinkRefund,
  voidRefund,
} from '../store/refund-repository.ts';
import { savePayment } from '../store/save-payment.ts';

export type DecidedOrder = RefundOrder & Pick<RefundOwed, 'reason' | 'toolNames'>;

/** Reserves refunds of a locked payment that the ledger has money for, and withdraws those whose money is gone. */
export const saveFills = async (
  tx: Transaction,
  before: StoredPayment,
  { added, withdrawn }: ReturnType<typeof fitFills<DecidedOrder>>,
  logger: Logger,
): Promise<void> => {
  const { id: paymentId } = before;
  let payment = before;
  await forgetWithdrawn(tx, paymentId);
  for (const { fill, cents } of withdrawn) {
    if (cents === fill.cents) {
      await voidRefund(tx, fill.key);
      countRefund(tx, 'voided');
    } else await shrinkRefund(tx, fill.key, cents);
    payment = { ...payment, ...withdrawRefund(payment, cents) };
    logger.warn(
      { refund: fill.key, cents },
      'withdrew cents of a refund: the renter or a bank got them',
    );
  }
  for (const { order, key, cents } of added) {
    const { bookingId, reason, toolNames } = order;
    await insertRefund(tx, { key, paymentId, bookingId, amountCents: cents, reason, toolNames });
    countRefund(tx, 'pending');
    payment = { ...payment, ...reserveRefund(payment, cents) };
  }
  await savePayment(tx, before, payment);
};
