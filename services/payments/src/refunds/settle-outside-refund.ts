import type { Transaction } from '@lendtools/service-kit';
import type Stripe from 'stripe';
import { applyOutsideRefund } from '../domain/payment.ts';
import { judgeOutsideRefund, refundStatusOf } from '../domain/refund.ts';
import {
  findOutsideRefund,
  type OutsideRefund,
  upsertOutsideRefund,
} from '../store/outside-refund-repository.ts';
import {
  findPaymentByIntent,
  lockPayment,
  type StoredPayment,
} from '../store/payment-repository.ts';
import { saveDecision } from '../store/save-payment.ts';
import { idOf } from '../stripe/stripe-api.ts';

export const settleOutsideRefund = async (
  tx: Transaction,
  stripeRefund: Stripe.Refund,
): Promise<void> => {
  const found = await findPaymentByIntent(tx, idOf(stripeRefund.payment_intent));
  // Ignore the refund: it belongs to another program on the same Stripe account.
  if (!found) return;
  const payment = await lockPayment(tx, found.id);
  const stored = await findOutsideRefund(tx, stripeRefund.id);
  const status = refundStatusOf(stripeRefund.status);
  const effect = judgeOutsideRefund(stored?.status ?? null, status);
  if (effect === 'keep') return;
  const refund = {
    refundId: stripeRefund.id,
    paymentId: payment.id,
    amountCents: stripeRefund.amount,
    status,
  };
  if (effect === 'store') return upsertOutsideRefund(tx, refund);
  await saveOutsideRefund(tx, payment, { ...refund, isAdded: effect === 'add' });
};

/** Stores and publishes a refund that was made without us, or one that was counted and then failed. */
export const saveOutsideRefund = async (
  tx: Transaction,
  payment: StoredPayment,
  { isAdded, ...refund }: OutsideRefund & { isAdded: boolean },
): Promise<StoredPayment> => {
  await upsertOutsideRefund(tx, refund);
  const change = applyOutsideRefund(payment, isAdded ? refund.amountCents : -refund.amountCents, {
    refundId: refund.refundId,
    refundCents: refund.amountCents,
    outcome: isAdded ? 'refunded' : 'failed',
  });
  return saveDecision(tx, payment, change);
};
