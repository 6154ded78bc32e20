import { routes } from '@lendtools/contracts';
import { faultPoint, handle, inTransaction, type Transaction } from '@lendtools/service-kit';
import Stripe from 'stripe';
import { z } from 'zod';
import type { Deps } from '../deps.ts';
import { webhookSignatureInvalid, webhookUnreadable } from '../errors.ts';
import { webhookLag } from '../payment-metrics.ts';
import {
  attachIntent,
  findPayment,
  findPaymentByIntent,
  type StoredPayment,
} from '../payment-repository.ts';
import { takeIn } from '../settle-payment.ts';
import { takeInRefund } from '../settle-refund.ts';
import { refuseOutage, withoutSecrets } from '../stripe-api.ts';

const toleranceSeconds = 300;

/** The types after which an intent may have reached a new state. */
const results = /^payment_intent\.(succeeded|payment_failed|canceled)/;

const stripeId = z.string().regex(/^[\w-]{1,255}$/);

/** What is read of an event. Its signature says who sent it, not that it is whole; of some things the id is free text. */
const eventSchema = z.object({
  id: stripeId,
  type: z.string().regex(/^[\w.]{1,255}$/),
  created: z.number(),
  data: z.object({
    object: z.object({
      object: z.string().optional(),
      id: stripeId.optional().catch(undefined),
      payment_intent: stripeId.nullish().catch(null),
    }),
  }),
});
type StripeEvent = z.infer<typeof eventSchema>;

/**
 * Stripe tells of something. The message is only a hint: its signature is checked, then the object is read
 * again from Stripe, because messages come late, twice and out of order. Stripe sends again until it is
 * answered 2xx, so whatever fails here is thrown.
 */
export const receiveWebhook = (deps: Deps) =>
  handle(routes.paymentWebhook, async ({ request }) => {
    const { pool, logger } = deps;
    const event = readSigned(deps, request.body, request.get('stripe-signature'));
    if (!(await isHandled(deps, event)) && (await matters(deps, event))) {
      const effect = await readAgain(deps, event).catch((error) => refuseOutage(error, logger));
      await inTransaction(pool, async (tx) => {
        if (await noteEvent(tx, event)) await effect?.(tx);
      });
      webhookLag.observe(Date.now() / 1_000 - event.created);
      await faultPoint('payments.afterWebhookCommit');
    }
    return { received: true as const };
  });

/** Each refusal leaves a line in the log: with a wrong secret nothing is heard, and nobody else would say so. */
const readSigned = (deps: Deps, body: unknown, header?: string): StripeEvent => {
  const { stripe, config, logger } = deps;
  try {
    if (!Buffer.isBuffer(body)) throw new Error('There is no body');
    const secret = config.STRIPE_WEBHOOK_SECRET;
    const event = stripe.webhooks.constructEvent(body, header ?? '', secret, toleranceSeconds);
    return eventSchema.parse(event);
  } catch (error) {
    logger.warn({ err: withoutSecrets(error) }, 'a webhook was refused');
    throw error instanceof Stripe.errors.StripeSignatureVerificationError
      ? webhookSignatureInvalid()
      : webhookUnreadable();
  }
};

const isHandled = async ({ pool }: Deps, event: StripeEvent): Promise<boolean> => {
  const known = await pool.query('SELECT 1 FROM stripe_events WHERE id = $1', [event.id]);
  return known.rowCount === 1;
};

/** Half of what Stripe sends changes nothing here: not worth a question to it. */
const matters = async ({ pool }: Deps, event: StripeEvent): Promise<boolean> => {
  if (refundIdOf(event)) return true;
  const id = intentIdOf(event);
  if (!id) return false;
  return results.test(event.type) || !(await findPaymentByIntent(pool, id));
};

const intentIdOf = ({ data: { object } }: StripeEvent): string | null =>
  (object.object === 'payment_intent' ? object.id : object.payment_intent) ?? null;

const refundIdOf = ({ data: { object } }: StripeEvent): string | null =>
  (object.object === 'refund' && object.id) || null;

/** The note in the transaction of the effect; of two deliveries at once, the second waits and does nothing. */
const noteEvent = async (tx: Transaction, event: StripeEvent): Promise<boolean> => {
  const noted = await tx.query(
    'INSERT INTO stripe_events (id, type) VALUES ($1, $2) ON CONFLICT DO NOTHING',
    [event.id, event.type],
  );
  return noted.rowCount === 1;
};

/** What the object that the event is about does here, as it is now; nothing when it is not ours. */
const readAgain = async (
  deps: Deps,
  event: StripeEvent,
): Promise<((tx: Transaction) => Promise<unknown>) | null> => {
  const { stripe, logger } = deps;
  const refundId = refundIdOf(event);
  if (refundId) {
    const refund = await stripe.refunds.retrieve(refundId).catch(nullIfGone);
    return refund && ((tx) => takeInRefund(tx, refund, logger));
  }
  const intent = await stripe.paymentIntents.retrieve(intentIdOf(event) ?? '').catch(nullIfGone);
  const payment = intent && (await findPaymentOf(deps, intent));
  if (!payment || payment.intentId !== intent.id) return null;
  return (tx) => takeIn(tx, payment.id, intent);
};

/** Of an object that is gone there is nothing to do, and nothing to send again. */
const nullIfGone = (error: { code?: string }): null => {
  if (error.code === 'resource_missing') return null;
  throw error;
};

/**
 * Our payment behind an intent. One whose reply got lost on the way to us is taken over by its payment; one
 * that came after its payment had another, or had ended, is cancelled: nobody holds its secret.
 */
const findPaymentOf = async (
  { pool, stripe, logger }: Deps,
  intent: Stripe.PaymentIntent,
): Promise<StoredPayment | null> => {
  const known = await findPaymentByIntent(pool, intent.id);
  if (known) return known;
  const { paymentId } = intent.metadata;
  if (!paymentId || !/^[0-9a-f-]{36}$/.test(paymentId)) return null;
  if (!(await findPayment(pool, paymentId))) return null;
  const payment = await attachIntent(pool, paymentId, intent);
  if (payment.intentId !== intent.id && intent.status === 'requires_payment_method') {
    logger.warn({ paymentId, intentId: intent.id }, 'an intent that nobody was given is cancelled');
    await stripe.paymentIntents.cancel(intent.id).catch((error) => refuseOutage(error, logger));
  }
  return payment;
};
