import { faultPoint, type Logger, type Transaction } from '@lendtools/service-kit';
import type Stripe from 'stripe';
import { completeRefund, reserveRefund, revokeRefund, withdrawRefund } from '../domain/payment.ts';
import { judgeRefund } from '../domain/refund.ts';
import { countRefund } from '../store/payment-metrics.ts';
import { lockPayment, type StoredPayment } from '../store/payment-repository.ts';
import {
  awaitRefund,
  failRefund,
  findRefund,
  finishRefund,
  lockRefund,
  type Refund,
  resizeRefund,
} from '../store/refund-repository.ts';
import { saveDecision, savePayment } from '../store/save-payment.ts';
import { settleOutsideRefund } from './settle-outside-refund.ts';

export const settleRefund = async (
  tx: Transaction,
  stripeRefund: Stripe.Refund,
  logger: Logger,
): Promise<void> => {
  const key = stripeRefund.metadata?.refundKey ?? '';
  const stored = await findRefund(tx, key);
  if (!stored) return settleOutsideRefund(tx, stripeRefund);
  // Always lock the payment before its refunds; otherwise two transactions could deadlock.
  const found = await lockPayment(tx, stored.paymentId);
  const refund = await lockRefund(tx, key);
  const { amountCents, reason, bookingId, toolNames } = refund;
  const effect = judgeRefund(refund, stripeRefund);
  if (effect === 'keep') return;
  const isSent = effect === 'await' || effect === 'complete';
  const payment = isSent ? await acceptSentAmount(tx, found, { refund, stripeRefund }) : found;
  if (effect === 'await') await awaitRefund(tx, key, stripeRefund.id);
  if (effect === 'complete') {
    await finishRefund(tx, key, stripeRefund.id);
    countRefund(tx, 'succeeded');
    const done = completeRefund(payment, stripeRefund.amount);
    // Don't publish the successful retry: the renter was notified when the refund first succeeded, before it failed.
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
  await faultPoint('payments.beforeRefundCommit');
};

/** Corrects a refund that was shrunk or voided while Stripe processed it. The ledger then fits the other refunds. */
const acceptSentAmount = async (
  tx: Transaction,
  payment: StoredPayment,
  { refund, stripeRefund }: { refund: Refund; stripeRefund: Stripe.Refund },
): Promise<StoredPayment> => {
  const byCents = stripeRefund.amount - (refund.status === 'voided' ? 0 : refund.amountCents);
  if (byCents === 0) return payment;
  await resizeRefund(tx, refund.key, stripeRefund.amount);
  const reserved =
    byCents > 0 ? reserveRefund(payment, byCents) : withdrawRefund(payment, -byCents);
  return savePayment(tx, payment, reserved);
};
