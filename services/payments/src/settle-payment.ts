import { faultPoint, inTransaction, type Transaction } from '@lendtools/service-kit';
import type Stripe from 'stripe';
import type { Deps } from './deps.ts';
import { type Observation, observe } from './domain/payment.ts';
import { lockPayment, type StoredPayment, saveDeclines } from './payment-repository.ts';
import { saveDecision } from './save-payment.ts';

/** Asks Stripe what became of a payment's intent and takes it in; every path to a result goes here. */
export const settlePayment = async (
  { pool, stripe }: Pick<Deps, 'pool' | 'stripe'>,
  payment: StoredPayment,
): Promise<StoredPayment> => {
  if (!payment.intentId) return payment;
  const intent = await stripe.paymentIntents.retrieve(payment.intentId);
  const declines = await countDeclines(stripe, intent);
  return inTransaction(pool, (tx) => takeIn(tx, payment.id, intent, declines));
};

/**
 * Asks Stripe how many cards were declined for an intent: each leaves a failed charge. Counting webhooks would miss those that never come, and an
 * intent shows only the last decline.
 */
export const countDeclines = async (
  stripe: Stripe,
  intent: Stripe.PaymentIntent,
): Promise<number> => {
  if (readIntent(intent).kind !== 'declined') return 0;
  const { data } = await stripe.charges.list({ payment_intent: intent.id, limit: 100 });
  return data.filter(({ status }) => status === 'failed').length;
};

/** Takes in an intent as Stripe showed it a moment ago. */
export const takeIn = async (
  tx: Transaction,
  paymentId: string,
  intent: Stripe.PaymentIntent,
  declines = 0,
): Promise<StoredPayment> => {
  const payment = await lockPayment(tx, paymentId);
  if (payment.intentId !== intent.id) throw new Error(`Payment ${paymentId}: another intent`);
  const decision = observe(payment, readIntent(intent), new Date());
  const saved = await saveDecision(tx, payment, decision);
  const settled = { ...saved, declines: Math.max(saved.declines, declines) };
  if (settled.declines > saved.declines) await saveDeclines(tx, settled);
  await faultPoint('payments.beforeSettleCommit');
  return settled;
};

const readIntent = (intent: Stripe.PaymentIntent): Observation => {
  if (intent.status === 'succeeded') {
    const { amount_received: receivedCents, currency } = intent;
    return { kind: 'succeeded', receivedCents, currency };
  }
  if (intent.status === 'requires_capture')
    return { kind: 'authorized', capturableCents: intent.amount_capturable };
  if (intent.status === 'canceled') return { kind: 'canceled' };
  const failure = intent.last_payment_error?.message;
  if (intent.status === 'requires_payment_method' && failure) return { kind: 'declined', failure };
  return { kind: 'open' };
};
