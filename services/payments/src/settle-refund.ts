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
import { settleOutsideRefund } from './settle-outside-refund.ts';

/** Applies a refund that was just read from Stripe, by the job or for a webhook. */
export const settleRefund = async (
  tx: Transaction,
  stripeRefund: Stripe.Refund,
  logger: Logger,
): Promise<void> => {
  const key = stripeRefund.metadata?.refundKey ?? '';
  const known = await findRefund(tx, key);
  if (!known) return settleOutsideRefund(tx, stripeRefund, logger);
  // Lock order: the payment before its refunds, everywhere; otherwise two transactions deadlock.
  const found = await lockPayment(tx, known.paymentId);
  const refund = await lockRefund(tx, key);
  // An older version stored a voided refund that Stripe sent anyway as an outside refund; don't count it twice.
  if (refund.status === 'voided' && (await findOutsideRefund(tx, stripeRefund.id)))
    return settleOutsideRefund(tx, stripeRefund, logger);
  const { amountCents, reason, bookingId, toolNames } = refund;
  const effect = judgeRefund(refund, stripeRefund);
  if (effect === 'keep') return;
  const isSent = effect === 'await' || effect === 'complete';
  const payment = isSent ? await resizePromise(tx, found, { refund, stripeRefund }) : found;
  if (effect === 'await') await awaitRefund(tx, key, stripeRefund.id);
  if (effect === 'complete') {
    await finishRefund(tx, key, stripeRefund.id);
    countRefund(tx, 'succeeded');
    const done = completeRefund(payment, stripeRefund.amount);
    // The renter was notified when it first succeeded; it failed since, and this retry makes that notice true.
    const decision = refund.isNotified ? { ...done, event: null } : done;
    await saveDecision(tx, payment, decision, {
      refundId: stripeRefund.id,
      reason,
      bookingId,
      toolNames,
    });
  }
  if (effect === 'revoke') await savePayment(tx, payment, revokeRefund(payment, amountCents));
  if (effect === 'fail' || effect === 'revoke') {
    const error = `Stripe: ${stripeRefund.status}, ${stripeRefund.failure_reason ?? 'without a reason'}`;
    if (await failRefund(tx, key, { refundId: stripeRefund.id, error })) countRefund(tx, 'failed');
    logger.error(
      { refund: key, refundId: stripeRefund.id, error },
      'a refund failed: its money is owed again',
    );
  }
  await fitRefunds(tx, payment.id, logger);
  await faultPoint('payments.beforeRefundCommit');
};

/**
 * For a refund that was shrunk or voided while Stripe processed it: reserves the amount that Stripe refunded. `fitRefunds` then
 * adjusts the other promises.
 */
const resizePromise = async (
  tx: Transaction,
  payment: StoredPayment,
  { refund, stripeRefund }: { refund: Refund; stripeRefund: Stripe.Refund },
): Promise<StoredPayment> => {
  const byCents = stripeRefund.amount - (refund.status === 'voided' ? 0 : refund.amountCents);
  if (byCents === 0) return payment;
  await resizeRefund(tx, refund.key, { refundedCents: stripeRefund.amount, byCents });
  const promised =
    byCents > 0 ? reserveRefund(payment, byCents) : withdrawRefund(payment, -byCents);
  return savePayment(tx, payment, promised);
};
