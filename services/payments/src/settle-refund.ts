import { faultPoint, type Logger, type Transaction } from '@lendtools/service-kit';
import type Stripe from 'stripe';
import { completeRefund, revokeRefund } from './domain/payment.ts';
import { judgeRefund } from './domain/refund.ts';
import { lockPayment, savePayment } from './payment-repository.ts';
import {
  awaitRefund,
  failRefund,
  findRefund,
  finishRefund,
  lockRefund,
} from './refund-repository.ts';
import { takeInOutsideRefund } from './settle-outside-refund.ts';

/** Takes in a refund as Stripe showed it a moment ago; the job and the webhook both come here. */
export const takeInRefund = async (
  tx: Transaction,
  given: Stripe.Refund,
  logger: Logger,
): Promise<void> => {
  const key = given.metadata?.refundKey ?? '';
  const known = await findRefund(tx, key);
  if (!known) return takeInOutsideRefund(tx, given, logger);
  // The payment first, everywhere: two paths that lock in two orders would wait for each other.
  const payment = await lockPayment(tx, known.paymentId);
  const refund = await lockRefund(tx, key);
  // Sent while its promise was taken back: Stripe had room for it all the same.
  if (refund.status === 'voided') return takeInOutsideRefund(tx, given, logger);
  const { amountCents, reason, bookingId, toolNames } = refund;
  const effect = judgeRefund({ ...refund, status: refund.status }, given);
  if (effect === 'await') await awaitRefund(tx, key, given.id);
  if (effect === 'complete') {
    await finishRefund(tx, key, given.id);
    const done = completeRefund(payment, amountCents);
    // Given again after it had failed: what the renter was told the first time is true now.
    const decision = refund.isTold ? { ...done, event: null } : done;
    await savePayment(tx, payment, decision, { refundId: given.id, reason, bookingId, toolNames });
  }
  if (effect === 'revoke') {
    const owing = revokeRefund(payment, amountCents);
    await savePayment(tx, payment, { payment: owing, event: null });
  }
  if (effect === 'fail' || effect === 'revoke') {
    const error = `Stripe: ${given.status}, ${given.failure_reason ?? 'without a reason'}`;
    await failRefund(tx, key, { refundId: given.id, error });
    logger.error({ refund: key, refundId: given.id, error }, 'a refund has failed: money is owed');
  }
  await faultPoint('payments.beforeRefundCommit');
};
