import type { Logger, Transaction } from '@lendtools/service-kit';
import type Stripe from 'stripe';
import { countOutside } from './domain/payment.ts';
import { judgeOutsideRefund, refundStatusOf } from './domain/refund.ts';
import { fitRefunds } from './fit-refunds.ts';
import { findOutsideRefund, upsertOutsideRefund } from './outside-refund-repository.ts';
import { findPaymentByIntent, lockPayment } from './payment-repository.ts';
import { saveDecision } from './save-payment.ts';
import { idOf } from './stripe-api.ts';

/** Applies a refund that was made without us, such as by hand in Stripe's dashboard. */
export const settleOutsideRefund = async (
  tx: Transaction,
  stripeRefund: Stripe.Refund,
  logger: Logger,
): Promise<void> => {
  const found = await findPaymentByIntent(tx, idOf(stripeRefund.payment_intent));
  // The refund belongs to another program on the same Stripe account.
  if (!found) return;
  const payment = await lockPayment(tx, found.id);
  const known = await findOutsideRefund(tx, stripeRefund.id);
  const status = refundStatusOf(stripeRefund.status);
  const effect = judgeOutsideRefund(known?.status ?? null, status);
  if (effect === 'keep') return;
  const refund = {
    refundId: stripeRefund.id,
    paymentId: payment.id,
    amountCents: stripeRefund.amount,
    status,
  };
  await upsertOutsideRefund(tx, refund);
  if (effect === 'note') return;
  const isCounted = effect === 'count';
  const change = countOutside(payment, isCounted ? stripeRefund.amount : -stripeRefund.amount, {
    refundId: stripeRefund.id,
    refundCents: stripeRefund.amount,
    outcome: isCounted ? 'given' : 'failed',
  });
  await saveDecision(tx, payment, change);
  await fitRefunds(tx, payment.id, logger);
};
