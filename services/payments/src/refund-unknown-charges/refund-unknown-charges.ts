import type { Pool } from '@lendtools/service-kit';
import type Stripe from 'stripe';

/** Statuses that an intent never leaves. In any other, an open tab may still pay it. */
const final = new Set<Stripe.PaymentIntent.Status>(['succeeded', 'canceled']);

const marginMs = 60 * 60_000;
const checkoutMs = 15 * 60_000;

interface UnknownChargeDeps {
  pool: Pool;
  stripe: Stripe;
}

/**
 * Lists our intents that Stripe has and the database lacks: after a restore, those created since the backup. No job looks for
 * them, so only this command can refund that money. Starts an hour before `since`, because this machine's clock may be fast.
 */
export const listUnknownIntents = async (
  { pool, stripe }: UnknownChargeDeps,
  since: Date,
): Promise<Stripe.PaymentIntent[]> => {
  const unknown: Stripe.PaymentIntent[] = [];
  const created = { gte: Math.floor((since.getTime() - marginMs) / 1_000) };
  for await (const intent of stripe.paymentIntents.list({ limit: 100, created })) {
    if (!intent.metadata.paymentId || intent.status === 'canceled') continue;
    // Don't look the intent up by the payment's id: the payment may be older than the backup, and the intent newer.
    const known = await pool.query('SELECT 1 FROM payments WHERE intent_id = $1', [intent.id]);
    if (known.rowCount === 0 && !(await isFullyRefunded(stripe, intent))) unknown.push(intent);
  }
  return unknown;
};

const isFullyRefunded = async (stripe: Stripe, intent: Stripe.PaymentIntent): Promise<boolean> =>
  intent.status === 'succeeded' && (await unrefunded(stripe, intent)).cents === 0;

const unrefunded = async (stripe: Stripe, { id, amount_received }: Stripe.PaymentIntent) => {
  let cents = amount_received;
  let refundCount = 0;
  for await (const { status, amount } of stripe.refunds.list({ payment_intent: id, limit: 100 })) {
    refundCount++;
    if (status !== 'failed' && status !== 'canceled') cents -= amount;
  }
  return { cents, refundCount };
};

/** Whether a renter may be checking out with it: an intent is unknown here until Stripe's reply is stored. */
export const mayBeCheckout = ({ status, created }: Stripe.PaymentIntent, nowMs: number): boolean =>
  !final.has(status) && nowMs - created * 1_000 < checkoutMs;

/**
 * Refunds what is left of a charge, or cancels an unpaid intent. An operator has to run this, because intents that are unknown
 * here may belong to a second installation on the same Stripe account.
 */
export const endUnknownIntent = async (
  stripe: Stripe,
  intent: Stripe.PaymentIntent,
): Promise<void> => {
  if (!final.has(intent.status)) {
    await stripe.paymentIntents.cancel(intent.id);
    return;
  }
  const { cents, refundCount } = await unrefunded(stripe, intent);
  if (cents > 0)
    await stripe.refunds.create(
      { payment_intent: intent.id, amount: cents },
      // With the count, a refund that failed is followed by another one instead of by Stripe's stored reply.
      { idempotencyKey: `unknown-${intent.id}-${refundCount}` },
    );
};
