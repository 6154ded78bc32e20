import { faultPoint, inTransaction, type Transaction } from '@lendtools/service-kit';
import type Stripe from 'stripe';
import { z } from 'zod';
import { attachIntent } from './attach-intent.ts';
import type { Deps } from './deps.ts';
import { findPayment, findPaymentByIntent, type StoredPayment } from './payment-repository.ts';
import { settleDispute } from './settle-dispute.ts';
import { settleFraudWarning } from './settle-fraud-warning.ts';
import {
  failedAuthentication,
  readFailedCards,
  settleIntent,
  settlePayment,
} from './settle-payment.ts';
import { settleRefund } from './settle-refund.ts';
import { idOf, refuseOutage } from './stripe-api.ts';
import { intentTypes } from './stripe-event-types.ts';

const stripeId = z.string().regex(/^[\w-]{1,255}$/);

/** The fields that we read. The signature proves the sender, not the shape; some objects' ids are free text. */
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
type EventDeps = Pick<Deps, 'pool' | 'stripe' | 'logger'>;

/**
 * Applies an event of Stripe's once. The event is only a hint: its object is read from Stripe, because events arrive late, twice
 * and out of order.
 * @returns false if there was nothing to do
 */
export const takeInEvent = async (deps: EventDeps, event: StripeEvent): Promise<boolean> => {
  const { pool, logger } = deps;
  if ((await isHandled(deps, event)) || !(await isRelevant(deps, event))) return false;
  const effect = await readEffect(deps, event).catch((error) => refuseOutage(error, logger));
  await inTransaction(pool, async (tx) => {
    if (await recordEvent(tx, event)) await effect?.(tx);
  });
  await faultPoint('payments.afterWebhookCommit');
  return true;
};

const isHandled = async ({ pool }: EventDeps, event: StripeEvent): Promise<boolean> => {
  const known = await pool.query('SELECT 1 FROM stripe_events WHERE id = $1', [event.id]);
  return known.rowCount === 1;
};

/** Filters out events that change nothing here, about half of them, to save a request to Stripe. */
const isRelevant = async ({ pool }: EventDeps, event: StripeEvent): Promise<boolean> => {
  const { object } = event.data;
  if (readers[object.object ?? '']) return object.id !== undefined;
  const id = intentIdOf(event);
  if (!id) return false;
  return intentTypes.includes(event.type) || !(await findPaymentByIntent(pool, id));
};

const intentIdOf = ({ data: { object } }: StripeEvent): string | null =>
  (object.object === 'payment_intent' ? object.id : object.payment_intent) ?? null;

/** Records the event in the transaction of its effect. A concurrent second delivery waits for the insert, then does nothing. */
const recordEvent = async (tx: Transaction, event: StripeEvent): Promise<boolean> => {
  const inserted = await tx.query(
    'INSERT INTO stripe_events (id, type) VALUES ($1, $2) ON CONFLICT DO NOTHING',
    [event.id, event.type],
  );
  return inserted.rowCount === 1;
};

/** Reads the event's object from Stripe and returns the effect to apply; undefined if the object is not ours. */
const readEffect = (deps: EventDeps, event: StripeEvent): Promise<Effect | undefined> => {
  const { object = '', id = '' } = event.data.object;
  const failure =
    event.type === 'payment_intent.payment_failed'
      ? { authentication: failedAuthentication(event.data.object.last_payment_error) }
      : undefined;
  return readers[object]?.(deps, id) ?? readIntent(deps, intentIdOf(event) ?? '', failure);
};

const readIntent = async (
  deps: EventDeps,
  intentId: string,
  failure?: { authentication: string | undefined },
): Promise<Effect | undefined> => {
  const { stripe } = deps;
  const intent = await stripe.paymentIntents.retrieve(intentId).catch(undefinedIfGone);
  const payment = intent && (await findPaymentOf(deps, intent));
  if (!payment || payment.intentId !== intent.id) return undefined;
  const failedCards = await readFailedCards(stripe, intent, failure);
  return (tx) => settleIntent(tx, payment.id, intent, failedCards);
};

const readRefund = async (deps: EventDeps, refundId: string): Promise<Effect | undefined> => {
  const refund = await deps.stripe.refunds.retrieve(refundId).catch(undefinedIfGone);
  if (!refund) return undefined;
  await settlePaymentOfIntent(deps, idOf(refund.payment_intent));
  return (tx) => settleRefund(tx, refund, deps.logger);
};

/** Reads the database's clock, because the replicas' clocks may differ. */
const readClock = async ({ pool }: EventDeps): Promise<Date> => {
  const { rows } = await pool.query<{ now: Date }>('SELECT clock_timestamp() AS now');
  return rows[0]?.now as Date;
};

const readDispute = async (deps: EventDeps, disputeId: string): Promise<Effect | undefined> => {
  const { stripe, logger } = deps;
  const askedAt = await readClock(deps);
  const dispute = await stripe.disputes.retrieve(disputeId).catch(undefinedIfGone);
  if (!dispute) return undefined;
  await settlePaymentOfIntent(deps, idOf(dispute.payment_intent));
  return (tx) => settleDispute(tx, dispute, { askedAt, logger });
};

/** Expands the charge, because older versions of Stripe's API return it without the intent. */
const readFraudWarning = async (
  deps: EventDeps,
  warningId: string,
): Promise<Effect | undefined> => {
  const askedAt = await readClock(deps);
  const warning = await deps.stripe.radar.earlyFraudWarnings
    .retrieve(warningId, { expand: ['charge'] })
    .catch(undefinedIfGone);
  if (!warning) return undefined;
  const { charge, payment_intent = null } = warning;
  const intentId = idOf(
    payment_intent ?? (typeof charge === 'string' ? null : charge.payment_intent),
  );
  await settlePaymentOfIntent(deps, intentId);
  return (tx) => settleFraudWarning(tx, warning, { intentId, askedAt });
};

/** Keyed by the type of the event's object. All other types lead to a payment's intent. */
const readers: Record<
  string,
  ((deps: EventDeps, id: string) => Promise<Effect | undefined>) | undefined
> = {
  refund: readRefund,
  dispute: readDispute,
  'radar.early_fraud_warning': readFraudWarning,
};

/** Settles the payment of a refund or dispute first: the event of its success may arrive later. */
const settlePaymentOfIntent = async (deps: EventDeps, intentId: string): Promise<void> => {
  const payment = intentId && (await findPaymentByIntent(deps.pool, intentId));
  if (payment && 'refundedCents' in payment.state) return;
  if (payment) await settlePayment(deps, payment);
  else {
    // Read before the transaction, which must not wait for Stripe or for a second connection.
    const effect = intentId ? await readIntent(deps, intentId) : undefined;
    if (effect) await inTransaction(deps.pool, effect);
  }
};

/** A deleted object needs no effect, and a retry of the event cannot succeed. */
const undefinedIfGone = (error: { code?: string }): undefined => {
  if (error.code === 'resource_missing') return undefined;
  throw error;
};

/**
 * Finds the payment of an intent. Attaches an intent whose reply got lost. If the payment has another intent by now or has ended,
 * cancels this one: no client has its secret.
 */
const findPaymentOf = async (
  { pool, stripe, logger }: EventDeps,
  intent: Stripe.PaymentIntent,
): Promise<StoredPayment | undefined> => {
  const known = await findPaymentByIntent(pool, intent.id);
  if (known) return known;
  const { paymentId } = intent.metadata;
  if (!paymentId || !/^[0-9a-f-]{36}$/.test(paymentId)) return undefined;
  if (!(await findPayment(pool, paymentId))) return undefined;
  const payment = await attachIntent(pool, paymentId, intent);
  if (payment.intentId !== intent.id && intent.status === 'requires_payment_method') {
    logger.warn({ paymentId, intentId: intent.id }, 'cancels an intent that no client received');
    await stripe.paymentIntents.cancel(intent.id).catch((error) => refuseOutage(error, logger));
  }
  return payment;
};
