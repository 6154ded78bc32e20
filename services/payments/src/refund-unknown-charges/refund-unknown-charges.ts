import type { Pool } from '@lendtools/service-kit';
import type Stripe from 'stripe';

/** Both end an intent for good; before that, a tab that is still open may pay it. */
const final = new Set<Stripe.PaymentIntent.Status>(['succeeded', 'canceled']);

const marginMs = 60 * 60_000;
const checkoutMs = 15 * 60_000;

interface Asking {
  pool: Pool;
  stripe: Stripe;
}

/**
 * The intents of ours that Stripe has and the database does not, since an hour before a time, because this machine's clock may
 * be fast: after a restore, what was begun since the backup. Nobody is looking for them, so nothing else would ever give that money back.
 */
export const listUnknownIntents = async (
  { pool, stripe }: Asking,
  since: Date,
): Promise<Stripe.PaymentIntent[]> => {
  const unknown: Stripe.PaymentIntent[] = [];
  const created = { gte: Math.floor((since.getTime() - marginMs) / 1_000) };
  for await (const intent of stripe.paymentIntents.list({ limit: 100, created })) {
    if (!intent.metadata.paymentId || intent.status === 'canceled') continue;
    // Not by the payment's id: it may be older than the backup, and its intent younger.
    const known = await pool.query('SELECT 1 FROM payments WHERE intent_id = $1', [intent.id]);
    if (known.rowCount === 0 && !(await isGivenBack(stripe, intent))) unknown.push(intent);
  }
  return unknown;
};

const isGivenBack = async (stripe: Stripe, intent: Stripe.PaymentIntent): Promise<boolean> =>
  intent.status === 'succeeded' && (await leftOf(stripe, intent)) === 0;

const leftOf = async (stripe: Stripe, { id, amount_received }: Stripe.PaymentIntent) => {
  const refunds = stripe.refunds.list({ payment_intent: id, limit: 100 });
  let left = amount_received;
  for await (const { status, amount } of refunds)
    if (status !== 'failed' && status !== 'canceled') left -= amount;
  return left;
};

/** Whether a checkout of the running site may have begun it just now: it is unknown here until Stripe's reply is stored. */
export const mayBeCheckout = ({ status, created }: Stripe.PaymentIntent, nowMs: number): boolean =>
  !final.has(status) && nowMs - created * 1_000 < checkoutMs;

/**
 * Gives back what is left of a charge, or cancels what nobody has paid yet. An operator's decision, not a job's: a second
 * installation on the same Stripe account has intents that are unknown here and wanted there.
 */
export const endUnknownIntent = async (
  stripe: Stripe,
  intent: Stripe.PaymentIntent,
): Promise<void> => {
  if (!final.has(intent.status)) {
    await stripe.paymentIntents.cancel(intent.id);
    return;
  }
  const left = await leftOf(stripe, intent);
  if (left > 0)
    await stripe.refunds.create(
      { payment_intent: intent.id, amount: left },
      { idempotencyKey: `unknown-${intent.id}-${left}` },
    );
};
