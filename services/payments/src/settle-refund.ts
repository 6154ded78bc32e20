import { faultPoint, type Logger, type Transaction } from '@lendtools/service-kit';
import type Stripe from 'stripe';
import { completeRefund, reserveRefund, revokeRefund, withdrawRefund } from './domain/payment.ts';
import { judgeRefund } from './domain/refund.ts';
import { fitRefunds } from './fit-refunds.ts';
import { findOutsideRefund } from './outside-refund-repository.ts';
import { countRefund } from './payment-metrics.ts';
import { lockPayment, type StoredPayment } from './payment-repository.ts';
import {
  awaitRefund,
  failRefund,
  findRefund,
  finishRefund,
  lockRefund,
  type Refund,
  resizeRefund,
} from './refund-repository.ts';
import { saveDecision, savePayment } from './save-payment.ts';
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
  const found = await lockPayment(tx, known.paymentId);
  const refund = await lockRefund(tx, key);
  // The version before took a voided refund that was given all the same for one of the dashboard.
  if (refund.status === 'voided' && (await findOutsideRefund(tx, given.id)))
    return takeInOutsideRefund(tx, given, logger);
  const { amountCents, reason, bookingId, toolNames } = refund;
  const effect = judgeRefund(refund, given);
  if (effect === 'keep') return;
  const isSent = effect === 'await' || effect === 'complete';
  const payment = isSent ? await promiseAsGiven(tx, found, { refund, given }) : found;
  if (effect === 'await') await awaitRefund(tx, key, given.id);
  if (effect === 'complete') {
    await finishRefund(tx, key, given.id);
    countRefund(tx, 'succeeded');
    const done = completeRefund(payment, given.amount);
    // Given again after it had failed: what the renter was told the first time is true now.
    const decision = refund.isTold ? { ...done, event: null } : done;
    await saveDecision(tx, payment, decision, { refundId: given.id, reason, bookingId, toolNames });
  }
  if (effect === 'revoke') await savePayment(tx, payment, revokeRefund(payment, amountCents));
  if (effect === 'fail' || effect === 'revoke') {
    const error = `Stripe: ${given.status}, ${given.failure_reason ?? 'without a reason'}`;
    if (await failRefund(tx, key, { refundId: given.id, error })) countRefund(tx, 'failed');
    logger.error({ refund: key, refundId: given.id, error }, 'a refund has failed: money is owed');
  }
  await fitRefunds(tx, payment.id, logger);
  await faultPoint('payments.beforeRefundCommit');
};

/** Shrunk or voided while it was on its way: what Stripe had room for counts, and other promises make room for it. */
const promiseAsGiven = async (
  tx: Transaction,
  payment: StoredPayment,
  { refund, given }: { refund: Refund; given: Stripe.Refund },
): Promise<StoredPayment> => {
  const byCents = given.amount - (refund.status === 'voided' ? 0 : refund.amountCents);
  if (byCents === 0) return payment;
  await resizeRefund(tx, refund.key, { givenCents: given.amount, byCents });
  const promised =
    byCents > 0 ? reserveRefund(payment, byCents) : withdrawRefund(payment, -byCents);
  return savePayment(tx, payment, promised);
};
