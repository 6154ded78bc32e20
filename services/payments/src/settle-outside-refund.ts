import type { Logger, Transaction } from '@lendtools/service-kit';
import type Stripe from 'stripe';
import { countOutside } from './domain/payment.ts';
import { judgeOutsideRefund, standingOf } from './domain/refund.ts';
import { fitRefunds } from './fit-refunds.ts';
import { findOutsideRefund, keepOutsideRefund } from './outside-refund-repository.ts';
import { findPaymentByIntent, lockPayment } from './payment-repository.ts';
import { saveDecision } from './save-payment.ts';
import { idOf } from './stripe-api.ts';

/** Takes in a refund that we did not ask for, as Stripe just showed it: made by hand in its dashboard. */
export const takeInOutsideRefund = async (
  tx: Transaction,
  given: Stripe.Refund,
  logger: Logger,
): Promise<void> => {
  const found = await findPaymentByIntent(tx, idOf(given.payment_intent));
  // Another program's on the same account.
  if (!found) return;
  const payment = await lockPayment(tx, found.id);
  const known = await findOutsideRefund(tx, given.id);
  const status = standingOf(given.status);
  const effect = judgeOutsideRefund(known?.status ?? null, status);
  if (effect === 'keep') return;
  const refund = { refundId: given.id, paymentId: payment.id, amountCents: given.amount, status };
  await keepOutsideRefund(tx, refund);
  if (effect === 'note') return;
  const isGiven = effect === 'count';
  const change = countOutside(payment, isGiven ? given.amount : -given.amount, {
    refundId: given.id,
    refundCents: given.amount,
    outcome: isGiven ? 'given' : 'failed',
  });
  await saveDecision(tx, payment, change);
  await fitRefunds(tx, payment.id, logger);
};
