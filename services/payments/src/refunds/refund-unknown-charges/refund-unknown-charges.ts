import type { Pool } from '@lendtools/service-kit';
import type Stripe from 'stripe';
import { findPaymentByIntent } from '../../store/payment-repository.ts';

/** An intent never leaves these statuses. With any other status, an open browser tab may still pay it. */
const final = new Set<Stripe.PaymentIntent.Status>(['succeeded', 'canceled']);

const marginMs = 60 * 60_000;
const checkoutMs = 15 * 60_000;

interface UnknownChargeDeps {
  pool: Pool;
  stripe: Stripe;
}

/** After a restore, finds our intents created since an hour before the backup: this machine's clock may be fast. */
export const listUnknownIntents = async (
  { pool, stripe }: UnknownChargeDeps,
  since: Date,
): Promise<Stripe.PaymentIntent[]> => {
  const unknown: Stripe.PaymentIntent[] = [];
  const created = { gte: Math.floor((since.getTime() - marginMs) / 1_000) };
  for await (const intent of stripe.paymentIntents.list({ limit: 100, created })) {
    if (!intent.metadata.paymentId || intent.status === 'canceled') continue;
    // Don't search by the payment's id: the payment may be older than the backup, and only the intent newer.
    const isUnknown = !(await findPaymentByIntent(pool, intent.id));
    if (isUnknown && !(await isFullyRefunded(stripe, intent))) unknown.push(intent);
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

/** Whether a renter may be checking out with the intent: a new intent is unknown here until Stripe's reply is stored. */
export const mayBeCheckout = ({ status, created }: Stripe.PaymentIntent, nowMs: number): boolean =>
  !final.has(status) && nowMs - created * 1_000 < checkoutMs;

/** Cancels or refunds an unknown intent. Only operators run this: another installation may use the same Stripe account. */
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
      // The count makes a fresh key after each failed refund. Under the old key, Stripe would replay its stored reply.
      { idempotencyKey: `unknown-${intent.id}-${refundCount}` },
    );
};
