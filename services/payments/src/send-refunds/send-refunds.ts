import { faultPoint, inTransaction } from '@lendtools/service-kit';
import Stripe from 'stripe';
import type { PaymentsDeps } from '../app.ts';
import { standingOf } from '../domain/refund.ts';
import { findPayment } from '../payment-repository.ts';
import { claimDueRefunds, failRefund, type Refund, retryRefund } from '../refund-repository.ts';
import { takeInRefund } from '../settle-refund.ts';
import { isKeptFailure, withoutSecrets } from '../stripe-api.ts';

const batchSize = 10;

/**
 * Gives back what was promised, and looks again at what was given. Shared by replicas: a refund is claimed for a while,
 * then due again.
 */
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
  await inTransaction(deps.pool, (tx) => takeInRefund(tx, given, deps.logger));
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

/**
 * After an error the refund may have been given all the same, and its key may replay the error. Of a failed
 * refund, those that failed at Stripe are known: only another one counts.
 */
const findGiven = async (
  { stripe }: PaymentsDeps,
  { key, status, refundId }: Refund,
  intentId: string,
): Promise<Stripe.Refund | undefined> => {
  if (status !== 'failed' && refundId) return stripe.refunds.retrieve(refundId);
  const { data } = await stripe.refunds.list({ payment_intent: intentId, limit: 100 });
  return data.find(
    (one) =>
      one.metadata?.refundKey === key &&
      (status === 'pending' || standingOf(one.status) !== 'failed'),
  );
};

const note = async (deps: PaymentsDeps, refund: Refund, failure: unknown): Promise<void> => {
  const { pool, logger } = deps;
  const error = failure instanceof Error ? failure.message : String(failure);
  const isRefused = refund.tries > 1 && failure instanceof Stripe.errors.StripeInvalidRequestError;
  logger[isRefused ? 'error' : 'warn'](
    { err: withoutSecrets(failure), refund: refund.key, isRefused },
    'a refund could not be sent',
  );
  if (isRefused) await failRefund(pool, refund.key, { refundId: null, error });
  else await retryRefund(pool, refund.key, { error, freshKey: isKeptFailure(failure) });
};
