import { faultPoint, inTransaction, type Transaction } from '@lendtools/service-kit';
import type Stripe from 'stripe';
import { z } from 'zod';
import { attachIntent } from './attach-intent.ts';
import type { Deps } from './deps.ts';
import { findPayment, findPaymentByIntent, type StoredPayment } from './payment-repository.ts';
import { takeInDispute } from './settle-dispute.ts';
import { takeInFraudWarning } from './settle-fraud-warning.ts';
import { failedAuthentication, readFailedCards, settlePayment, takeIn } from './settle-payment.ts';
import { takeInRefund } from './settle-refund.ts';
import { idOf, refuseOutage } from './stripe-api.ts';
import { intentTypes } from './stripe-event-types.ts';

const stripeId = z.string().regex(/^[\w-]{1,255}$/);

/** What is read of an event. Its signature says who sent it, not that it is whole; of some things the id is free text. */
export const eventSchema = z.object({
  id: stripeId,
  type: z.string().regex(/^[\w.]{1,255}$/),
  created: z.number(),
  data: z.object({
    object: z.object({
      object: z.string().optional(),
      id: stripeId.optional().catch(undefined),
      payment_intent: stripeId.nullish().catch(null),
      last_payment_error: z
        .object({
          code: z.string().optional(),
          payment_method: z.object({ id: stripeId }).optional(),
        })
        .nullish()
        .catch(null),
    }),
  }),
});
export type StripeEvent = z.infer<typeof eventSchema>;

type Effect = (tx: Transaction) => Promise<unknown>;
type Asking = Pick<Deps, 'pool' | 'stripe' | 'logger'>;

/**
 * Takes in an event of Stripe's, once: false when there was nothing to do. The event is only a hint. The object is read
 * again from Stripe, because events come late, twice and out of order.
 */
export const takeInEvent = async (deps: Asking, event: StripeEvent): Promise<boolean> => {
  const { pool, logger } = deps;
  if ((await isHandled(deps, event)) || !(await matters(deps, event))) return false;
  const effect = await readAgain(deps, event).catch((error) => refuseOutage(error, logger));
  await inTransaction(pool, async (tx) => {
    if (await noteEvent(tx, event)) await effect?.(tx);
  });
  await faultPoint('payments.afterWebhookCommit');
  return true;
};

const isHandled = async ({ pool }: Asking, event: StripeEvent): Promise<boolean> => {
  const known = await pool.query('SELECT 1 FROM stripe_events WHERE id = $1', [event.id]);
  return known.rowCount === 1;
};

/** Half of what Stripe sends changes nothing here: not worth a question to it. */
const matters = async ({ pool }: Asking, event: StripeEvent): Promise<boolean> => {
  const { object } = event.data;
  if (readers[object.object ?? '']) return object.id !== undefined;
  const id = intentIdOf(event);
  if (!id) return false;
  return intentTypes.includes(event.type) || !(await findPaymentByIntent(pool, id));
};

const intentIdOf = ({ data: { object } }: StripeEvent): string | null =>
  (object.object === 'payment_intent' ? object.id : object.payment_intent) ?? null;

/** The note in the transaction of the effect; of two deliveries at once, the second waits and does nothing. */
const noteEvent = async (tx: Transaction, event: StripeEvent): Promise<boolean> => {
  const noted = await tx.query(
    'INSERT INTO stripe_events (id, type) VALUES ($1, $2) ON CONFLICT DO NOTHING',
    [event.id, event.type],
  );
  return noted.rowCount === 1;
};

/** What the object that the event is about does here, as it is now; nothing when it is not ours. */
const readAgain = (deps: Asking, event: StripeEvent): Promise<Effect | undefined> => {
  const { object = '', id = '' } = event.data.object;
  const failure =
    event.type === 'payment_intent.payment_failed'
      ? { authentication: failedAuthentication(event.data.object.last_payment_error) }
      : undefined;
  return readers[object]?.(deps, id) ?? readIntent(deps, intentIdOf(event) ?? '', failure);
};

const readIntent = async (
  deps: Asking,
  intentId: string,
  failure?: { authentication: string | undefined },
): Promise<Effect | undefined> => {
  const { stripe } = deps;
  const intent = await stripe.paymentIntents.retrieve(intentId).catch(undefinedIfGone);
  const payment = intent && (await findPaymentOf(deps, intent));
  if (!payment || payment.intentId !== intent.id) return undefined;
  const failedCards = await readFailedCards(stripe, intent, failure);
  return (tx) => takeIn(tx, payment.id, intent, failedCards);
};

const readRefund = async (deps: Asking, refundId: string): Promise<Effect | undefined> => {
  const refund = await deps.stripe.refunds.retrieve(refundId).catch(undefinedIfGone);
  if (!refund) return undefined;
  await learnOfPayment(deps, idOf(refund.payment_intent));
  return (tx) => takeInRefund(tx, refund, deps.logger);
};

/** By the database's clock: one clock for all replicas. */
const readClock = async ({ pool }: Asking): Promise<Date> => {
  const { rows } = await pool.query<{ now: Date }>('SELECT clock_timestamp() AS now');
  return rows[0]?.now as Date;
};

const readDispute = async (deps: Asking, disputeId: string): Promise<Effect | undefined> => {
  const { stripe, logger } = deps;
  const askedAt = await readClock(deps);
  const dispute = await stripe.disputes.retrieve(disputeId).catch(undefinedIfGone);
  if (!dispute) return undefined;
  await learnOfPayment(deps, idOf(dispute.payment_intent));
  return (tx) => takeInDispute(tx, dispute, { askedAt, logger });
};

/** Older versions of Stripe's API name the charge alone: hence the expanded charge. */
const readFraudWarning = async (deps: Asking, warningId: string): Promise<Effect | undefined> => {
  const askedAt = await readClock(deps);
  const warning = await deps.stripe.radar.earlyFraudWarnings
    .retrieve(warningId, { expand: ['charge'] })
    .catch(undefinedIfGone);
  if (!warning) return undefined;
  const { charge, payment_intent = null } = warning;
  const intentId = idOf(
    payment_intent ?? (typeof charge === 'string' ? null : charge.payment_intent),
  );
  await learnOfPayment(deps, intentId);
  return (tx) => takeInFraudWarning(tx, warning, { intentId, askedAt });
};

/** By the type of the object that an event is about. All others lead to a payment's intent. */
const readers: Record<
  string,
  ((deps: Asking, id: string) => Promise<Effect | undefined>) | undefined
> = {
  refund: readRefund,
  dispute: readDispute,
  'radar.early_fraud_warning': readFraudWarning,
};

/** Money that went back was paid before, though the event that told of that may come later. */
const learnOfPayment = async (deps: Asking, intentId: string): Promise<void> => {
  const payment = intentId && (await findPaymentByIntent(deps.pool, intentId));
  if (payment && 'refundedCents' in payment.state) return;
  if (payment) await settlePayment(deps, payment);
  else {
    // Before the transaction: it would wait for Stripe, and for a second connection.
    const effect = intentId ? await readIntent(deps, intentId) : undefined;
    if (effect) await inTransaction(deps.pool, effect);
  }
};

/** Of an object that is gone there is nothing to do, and nothing to send again. */
const undefinedIfGone = (error: { code?: string }): undefined => {
  if (error.code === 'resource_missing') return undefined;
  throw error;
};

/**
 * Our payment behind an intent. One whose reply got lost on the way to us is taken over by its payment; one
 * that came after its payment had another, or had ended, is cancelled: nobody holds its secret.
 */
const findPaymentOf = async (
  { pool, stripe, logger }: Asking,
  intent: Stripe.PaymentIntent,
): Promise<StoredPayment | undefined> => {
  const known = await findPaymentByIntent(pool, intent.id);
  if (known) return known;
  const { paymentId } = intent.metadata;
  if (!paymentId || !/^[0-9a-f-]{36}$/.test(paymentId)) return undefined;
  if (!(await findPayment(pool, paymentId))) return undefined;
  const payment = await attachIntent(pool, paymentId, intent);
  if (payment.intentId !== intent.id && intent.status === 'requires_payment_method') {
    logger.warn({ paymentId, intentId: intent.id }, 'an intent that nobody was given is cancelled');
    await stripe.paymentIntents.cancel(intent.id).catch((error) => refuseOutage(error, logger));
  }
  return payment;
};
