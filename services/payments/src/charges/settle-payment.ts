import { faultPoint, inTransaction, type Transaction } from '@lendtools/service-kit';
import type Stripe from 'stripe';
import type { Deps } from '../deps.ts';
import { type Observation, observe, uncapturedCents } from '../domain/payment.ts';
import { saveOutsideRefund } from '../refunds/settle-outside-refund.ts';
import { saveDeclines } from '../store/decline-repository.ts';
import { lockPayment, type StoredPayment } from '../store/payment-repository.ts';
import { saveDecision } from '../store/save-payment.ts';

export const settlePayment = async (
  { pool, stripe }: Pick<Deps, 'pool' | 'stripe'>,
  payment: StoredPayment,
): Promise<StoredPayment> => {
  if (!payment.intentId) return payment;
  const intent = await stripe.paymentIntents.retrieve(payment.intentId);
  const failedCards = await readFailedCards(stripe, intent);
  return inTransaction(pool, (tx) => settleIntent(tx, payment.id, intent, failedCards));
};

interface FailedCards {
  /** Failed charges of the intent, one per declined card. */
  charges: number;
  /** Stripe's ids of the cards whose 3-D Secure authentication failed, as far as the intent or an event shows them. */
  authentications: string[];
}
const noFailedCards: FailedCards = { charges: 0, authentications: [] };

/**
 * Reads which cards failed. Each decline leaves a failed charge. Once a card was accepted, reads the charges only for a
 * failure event, because most payments had no decline. A failed authentication leaves no charge: the intent shows only
 * the last failed authentication, and each failure event shows its own.
 * @param failure from the event `payment_intent.payment_failed`
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

/** Stripe's id of the card, if the error is a failed 3-D Secure authentication. */
export const failedAuthentication = (error: LastPaymentError): string | undefined =>
  error?.code === 'payment_intent_authentication_failure' ? error.payment_method?.id : undefined;

type LastPaymentError =
  | { code?: string | undefined; payment_method?: { id: string } | undefined }
  | null
  | undefined;

export const settleIntent = async (
  tx: Transaction,
  paymentId: string,
  intent: Stripe.PaymentIntent,
  failedCards = noFailedCards,
): Promise<StoredPayment> => {
  const payment = await lockPayment(tx, paymentId);
  if (payment.intentId !== intent.id)
    throw new Error(`Payment ${paymentId} has another intent than ${intent.id}`);
  const observed = readIntent(intent);
  const decision = observe(payment, observed, new Date());
  let saved = await saveDecision(tx, payment, decision);
  if (observed.kind === 'succeeded' && decision.event)
    saved = await saveUncaptured(tx, saved, uncapturedCents(payment, observed));
  const settled = addFailedCards(saved, failedCards);
  if (settled !== saved) await saveDeclines(tx, settled);
  await faultPoint('payments.beforeSettleCommit');
  return settled;
};

/** Counts as refunded the cents that were authorized but not captured: only captured cents can be refunded. */
const saveUncaptured = async (
  tx: Transaction,
  payment: StoredPayment,
  amountCents: number,
): Promise<StoredPayment> => {
  if (amountCents === 0) return payment;
  const refundId = `uncaptured-${payment.intentId}`;
  const refund = { refundId, paymentId: payment.id, amountCents, status: 'succeeded' as const };
  return saveOutsideRefund(tx, payment, { ...refund, isAdded: true });
};

/** Adds failed cards to a payment. Returns the same object if all of them were already counted. */
const addFailedCards = (payment: StoredPayment, failed: FailedCards): StoredPayment => {
  const stored = payment.failedAuthentications;
  const failedAuthentications = [...new Set([...stored, ...failed.authentications])];
  const chargesBefore = payment.declines - stored.length;
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
