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
  const failedCards = await readFailedCards(stripe, intent);
  return inTransaction(pool, (tx) => takeIn(tx, payment.id, intent, failedCards));
};

interface FailedCards {
  /** How many cards were declined for the intent so far. */
  charges: number;
  /** Stripe's ids of cards whose 3-D Secure authentication failed, as far as an intent or an event shows them. */
  authentications: string[];
}
const noFailedCards: FailedCards = { charges: 0, authentications: [] };

/**
 * Reads which cards failed for an intent. Each decline leaves a failed charge, which is counted whatever the intent's status is by now:
 * it may wait for an authentication, or be cancelled. Once a card was accepted, charges are read for the event of a failure alone,
 * because most had none. A failed authentication leaves no charge: the intent shows the last one, and the events show each.
 * @param failure the event that says that a card failed
 */
export const readFailedCards = async (
  stripe: Stripe,
  intent: Stripe.PaymentIntent,
  failure?: { authentication: string | undefined },
): Promise<FailedCards> => {
  const last = failedAuthentication(intent.last_payment_error);
  const authentications = [...new Set([failure?.authentication, last])].filter(
    (id) => id !== undefined,
  );
  const wasTried = intent.latest_charge !== null;
  const isAccepted = intent.status === 'succeeded' || intent.status === 'requires_capture';
  if (!wasTried || (isAccepted && !failure)) return { charges: 0, authentications };
  const { data } = await stripe.charges.list({ payment_intent: intent.id, limit: 100 });
  return { charges: data.filter(({ status }) => status === 'failed').length, authentications };
};

/** Stripe's id of the card, where an intent failed because its cardholder was not authenticated. */
export const failedAuthentication = (error: LastPaymentError): string | undefined =>
  error?.code === 'payment_intent_authentication_failure' ? error.payment_method?.id : undefined;

type LastPaymentError =
  | { code?: string | undefined; payment_method?: { id: string } | undefined }
  | null
  | undefined;

/** Takes in an intent as Stripe showed it a moment ago. */
export const takeIn = async (
  tx: Transaction,
  paymentId: string,
  intent: Stripe.PaymentIntent,
  failedCards = noFailedCards,
): Promise<StoredPayment> => {
  const payment = await lockPayment(tx, paymentId);
  if (payment.intentId !== intent.id) throw new Error(`Payment ${paymentId}: another intent`);
  const decision = observe(payment, readIntent(intent), new Date());
  const saved = await saveDecision(tx, payment, decision);
  const settled = addFailedCards(saved, failedCards);
  if (settled !== saved) await saveDeclines(tx, settled);
  await faultPoint('payments.beforeSettleCommit');
  return settled;
};

/** Returns the payment itself if all of them were counted before. */
const addFailedCards = (payment: StoredPayment, failed: FailedCards): StoredPayment => {
  const known = payment.failedAuthentications;
  const failedAuthentications = [...new Set([...known, ...failed.authentications])];
  const chargesBefore = payment.declines - known.length;
  const declines = Math.max(chargesBefore, failed.charges) + failedAuthentications.length;
  return declines > payment.declines ? { ...payment, declines, failedAuthentications } : payment;
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
