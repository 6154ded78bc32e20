import { faultPoint, inTransaction, schedule, type Transaction } from '@lendtools/service-kit';
import type Stripe from 'stripe';
import { z } from 'zod';
import {
  failedAuthentication,
  readFailedCards,
  settleIntent,
  settlePayment,
} from '../charges/settle-payment.ts';
import type { Deps } from '../deps.ts';
import { settleDispute } from '../disputes/settle-dispute.ts';
import { settleFraudWarning } from '../disputes/settle-fraud-warning.ts';
import { settleRefund } from '../refunds/settle-refund.ts';
import { attachIntent } from '../store/attach-intent.ts';
import {
  findPayment,
  findPaymentByIntent,
  type StoredPayment,
} from '../store/payment-repository.ts';
import { isHandled, readClock, recordEvent } from '../store/stripe-event-repository.ts';
import { findUnrecorded } from '../store/transfer-repository.ts';
import { idOf, rethrowOutage, undefinedIfGone } from '../stripe/stripe-api.ts';
import { intentTypes } from '../stripe/stripe-event-types.ts';

const stripeId = z.string().regex(/^[\w-]{1,255}$/);

/** The fields that we read. The signature proves the sender, not the shape: an id that is free text is dropped. */
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
 * Applies an event. Reads its object from Stripe, because events arrive late, twice and out of order.
 * @returns false if there was nothing to do
 */
export const applyStripeEvent = async (deps: EventDeps, event: StripeEvent): Promise<boolean> => {
  const { pool, logger } = deps;
  if ((await isHandled(pool, event.id)) || !(await isRelevant(deps, event))) return false;
  const effect = await readEffect(deps, event).catch((error) => rethrowOutage(error, logger));
  await inTransaction(pool, async (tx) => {
    if (await recordEvent(tx, event)) await effect?.(tx);
  });
  await faultPoint('payments.afterWebhookCommit');
  return true;
};

/** Whether the event may change anything here. About half of all events can't, and need no request to Stripe. */
const isRelevant = async ({ pool }: EventDeps, event: StripeEvent): Promise<boolean> => {
  const { object } = event.data;
  if (object.object === 'transfer' && event.type !== 'transfer.reversed')
    return object.id !== undefined && (await findUnrecorded(pool, [object.id])).length > 0;
  if (readers[object.object ?? '']) return object.id !== undefined;
  const id = intentIdOf(event);
  if (!id) return false;
  return intentTypes.includes(event.type) || !(await findPaymentByIntent(pool, id));
};

const intentIdOf = ({ data: { object } }: StripeEvent): string | null =>
  (object.object === 'payment_intent' ? object.id : object.payment_intent) ?? null;

/** Reads the event's object from Stripe; undefined if the object is not ours. */
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

const readDispute = async (deps: EventDeps, disputeId: string): Promise<Effect | undefined> => {
  const requestedAt = await readClock(deps.pool);
  const dispute = await deps.stripe.disputes.retrieve(disputeId).catch(undefinedIfGone);
  if (!dispute) return undefined;
  await settlePaymentOfIntent(deps, idOf(dispute.payment_intent));
  return (tx) => settleDispute(tx, dispute, requestedAt);
};

/** Expands the charge: older versions of Stripe's API return a warning with its charge, but without its intent. */
const readFraudWarning = async (
  deps: EventDeps,
  warningId: string,
): Promise<Effect | undefined> => {
  const requestedAt = await readClock(deps.pool);
  const warning = await deps.stripe.radar.earlyFraudWarnings
    .retrieve(warningId, { expand: ['charge'] })
    .catch(undefinedIfGone);
  if (!warning) return undefined;
  const { charge, payment_intent = null } = warning;
  const intentId = idOf(
    payment_intent ?? (typeof charge === 'string' ? null : charge.payment_intent),
  );
  await settlePaymentOfIntent(deps, intentId);
  return (tx) => settleFraudWarning(tx, warning, { intentId, requestedAt });
};

/** Follows the payment of a transfer of ours that was reversed in the dashboard, or whose reply was lost. */
const readTransfer = async (
  { pool, stripe }: EventDeps,
  transferId: string,
): Promise<Effect | undefined> => {
  const transfer = await stripe.transfers.retrieve(transferId).catch(undefinedIfGone);
  const { data: paymentId } = z.uuid().safeParse(transfer?.metadata.paymentId);
  if (!paymentId || !(await findPayment(pool, paymentId))) return undefined;
  return (tx) => schedule(tx, 'follow-ledger', paymentId);
};

/** The readers of refunds, disputes, warnings and transfers. For an object of another type, `readIntent` reads its intent. */
const readers: Record<
  string,
  ((deps: EventDeps, id: string) => Promise<Effect | undefined>) | undefined
> = {
  refund: readRefund,
  dispute: readDispute,
  'radar.early_fraud_warning': readFraudWarning,
  transfer: readTransfer,
};

/** Settles the payment before its refund or dispute: the event of the payment's success may arrive later. */
const settlePaymentOfIntent = async (deps: EventDeps, intentId: string): Promise<void> => {
  const payment = intentId && (await findPaymentByIntent(deps.pool, intentId));
  if (payment && 'refundedCents' in payment.state) return;
  if (payment) await settlePayment(deps, payment);
  else {
    // Read the intent before the transaction, which must not wait for Stripe or for a second connection.
    const effect = intentId ? await readIntent(deps, intentId) : undefined;
    if (effect) await inTransaction(deps.pool, effect);
  }
};

/** Attaches an intent whose reply from Stripe was lost. Cancels it if the payment has another intent or has ended. */
const findPaymentOf = async (
  { pool, stripe, logger }: EventDeps,
  intent: Stripe.PaymentIntent,
): Promise<StoredPayment | undefined> => {
  const stored = await findPaymentByIntent(pool, intent.id);
  if (stored) return stored;
  const { paymentId } = intent.metadata;
  if (!paymentId || !/^[0-9a-f-]{36}$/.test(paymentId)) return undefined;
  if (!(await findPayment(pool, paymentId))) return undefined;
  const payment = await attachIntent(pool, paymentId, intent);
  if (payment.intentId !== intent.id && intent.status === 'requires_payment_method') {
    logger.warn({ paymentId, intentId: intent.id }, 'cancels an intent that no client received');
    await stripe.paymentIntents.cancel(intent.id).catch((error) => rethrowOutage(error, logger));
  }
  return payment;
};
