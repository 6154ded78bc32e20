import { faultPoint, inTransaction } from '@lendtools/service-kit';
import Stripe from 'stripe';
import type { PaymentsDeps } from '../app.ts';
import { completeRefund } from '../domain/payment.ts';
import { findPayment, lockPayment, savePayment } from '../payment-repository.ts';
import {
  claimDueRefunds,
  finishRefund,
  lockPendingRefund,
  noteRefundFailure,
  type Refund,
} from '../refund-repository.ts';
import { isKeptFailure, withoutSecrets } from '../stripe-api.ts';

const batchSize = 10;

/** Gives back what was promised. Shared by replicas: a refund is claimed for a while, then due again. */
export const sendRefunds = async (deps: PaymentsDeps): Promise<void> => {
  for (;;) {
    const due = await claimDueRefunds(deps.pool, batchSize);
    // Side by side: while Stripe hangs, one after the other would outlive the lease.
    await Promise.all(
      due.map((refund) => send(deps, refund).catch((error) => note(deps, refund, error))),
    );
    if (due.length < batchSize) return;
  }
};

const send = async (deps: PaymentsDeps, refund: Refund): Promise<void> => {
  const payment = await findPayment(deps.pool, refund.paymentId);
  if (!payment?.intentId) throw new Error(`Refund ${refund.key} has no intent`);
  await faultPoint('payments.beforeStripeRefund');
  const given =
    (refund.tries > 1 && (await findGiven(deps, refund, payment.intentId))) ||
    (await give(deps, refund, payment.intentId));
  await faultPoint('payments.afterStripeRefund');
  await complete(deps, refund, given.id);
};

const give = (
  { stripe }: PaymentsDeps,
  refund: Refund,
  intentId: string,
): Promise<Stripe.Refund> => {
  const { key, attempt, amountCents, paymentId } = refund;
  return stripe.refunds.create(
    {
      payment_intent: intentId,
      amount: amountCents,
      metadata: { paymentId, refundKey: key },
    },
    { idempotencyKey: attempt === 0 ? key : `${key}#${attempt}` },
  );
};

/** After a failure the refund may have been given all the same, and its key may replay the failure. */
const findGiven = async (
  { stripe }: PaymentsDeps,
  { key }: Refund,
  intentId: string,
): Promise<Stripe.Refund | undefined> => {
  const { data } = await stripe.refunds.list({ payment_intent: intentId, limit: 100 });
  return data.find((one) => one.metadata?.refundKey === key && one.status !== 'failed');
};

const complete = async (
  { pool }: PaymentsDeps,
  refund: Refund,
  refundId: string,
): Promise<void> => {
  await inTransaction(pool, async (tx) => {
    // The payment first, everywhere: two paths that lock in two orders would wait for each other.
    const payment = await lockPayment(tx, refund.paymentId);
    if (!(await lockPendingRefund(tx, refund.key))) return;
    await finishRefund(tx, refund.key, refundId);
    const { reason, bookingId, toolNames } = refund;
    const decision = completeRefund(payment, refund.amountCents);
    await savePayment(tx, payment, decision, { refundId, reason, bookingId, toolNames });
    await faultPoint('payments.beforeRefundCommit');
  });
};

const note = async (deps: PaymentsDeps, refund: Refund, error: unknown): Promise<void> => {
  const final = refund.tries > 1 && error instanceof Stripe.errors.StripeInvalidRequestError;
  const log = final ? 'error' : 'warn';
  deps.logger[log](
    { err: withoutSecrets(error), refund: refund.key, final },
    'a refund could not be sent',
  );
  await noteRefundFailure(deps.pool, refund, {
    error: error instanceof Error ? error.message : String(error),
    final,
    freshKey: isKeptFailure(error),
  });
};
