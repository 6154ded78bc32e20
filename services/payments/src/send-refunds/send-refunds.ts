import { faultPoint, inTransaction, rowAttempts } from '@lendtools/service-kit';
import Stripe from 'stripe';
import type { Deps } from '../deps.ts';
import { refundStatusOf } from '../domain/refund.ts';
import { countRefund } from '../payment-metrics.ts';
import { findPayment, type StoredPayment } from '../payment-repository.ts';
import {
  claimDueRefunds,
  failRefund,
  postponeRefund,
  type Refund,
  recheckRefundLater,
  retryRefund,
} from '../refund-repository.ts';
import { settleRefund } from '../settle-refund.ts';
import { isKeptFailure, refuseOutage, withoutSecrets } from '../stripe-api.ts';

const batchSize = 10;

/** Sends promised refunds and checks sent ones. Replicas share the work: a refund is claimed with a lease. */
export const sendRefunds = async (deps: Deps): Promise<void> => {
  const { logger } = deps;
  const { attempt } = await rowAttempts(deps, 'send-refunds');
  for (;;) {
    const due = await claimDueRefunds(deps.pool, batchSize);
    // In parallel: while Stripe hangs, a sequential batch would outlive the lease.
    await Promise.all(
      due.map((refund) =>
        attempt(refund.key, () =>
          send(deps, refund).catch((error) => recordFailure(deps, refund, error)),
        ).catch((err) => logger.warn({ err, refund: refund.key }, 'a refund could not be sent')),
      ),
    );
    if (due.length < batchSize) return;
  }
};

const send = async (deps: Deps, refund: Refund): Promise<void> => {
  const payment = await findPayment(deps.pool, refund.paymentId);
  if (!payment?.intentId) throw new Error(`Refund ${refund.key} has no intent`);
  if (isDisputed(payment) && !isAtStripe(refund)) return postponeRefund(deps.pool, refund.key);
  await faultPoint('payments.beforeStripeRefund');
  const stripeRefund =
    (await findAtStripe(deps, refund, payment.intentId)) ??
    (await createAtStripe(deps, refund, payment.intentId));
  await faultPoint('payments.afterStripeRefund');
  await inTransaction(deps.pool, (tx) => settleRefund(tx, stripeRefund, deps.logger));
};

const isDisputed = ({ state }: StoredPayment): boolean =>
  'heldCents' in state && state.heldCents > 0;

const createAtStripe = (
  { stripe }: Deps,
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

/** Whether Stripe has the refund and it has not failed: then only its status is read. */
const isAtStripe = (refund: Refund): refund is Refund & { refundId: string } =>
  refund.refundId !== null && refund.status !== 'failed';

/**
 * Looks the refund up at Stripe before sending it. A try that failed with an error may have been carried out, while its key
 * replays the error. After a restore, a refund may have been sent after the backup, and Stripe has forgotten its key. For a
 * refund that is stored as failed, skips the failed ones at Stripe: they are its earlier tries.
 */
const findAtStripe = async (
  { stripe }: Deps,
  refund: Refund,
  intentId: string,
): Promise<Stripe.Refund | undefined> => {
  if (isAtStripe(refund)) return stripe.refunds.retrieve(refund.refundId);
  const { key, status } = refund;
  const { data } = await stripe.refunds.list({ payment_intent: intentId, limit: 100 });
  return data.find(
    (one) =>
      one.metadata?.refundKey === key &&
      (status === 'pending' || refundStatusOf(one.status) !== 'failed'),
  );
};

/**
 * Stores why a refund could not be sent and schedules the next try.
 * @throws the failure, unless Stripe refused the refund (alert `RefundsFailing`)
 */
const recordFailure = async (deps: Deps, refund: Refund, failure: unknown): Promise<void> => {
  const { pool, logger } = deps;
  const { key, tries } = refund;
  const error = failure instanceof Error ? failure.message : String(failure);
  const isRefused = tries > 1 && failure instanceof Stripe.errors.StripeInvalidRequestError;
  if (isRefused) {
    logger.error({ err: withoutSecrets(failure), refund: key }, 'Stripe refused a refund');
    return inTransaction(pool, async (tx) => {
      if (await failRefund(tx, key, { refundId: null, error })) countRefund(tx, 'failed');
    });
  }
  if (refund.status === 'succeeded') await recheckRefundLater(pool, key);
  else await retryRefund(pool, key, { error, freshKey: isKeptFailure(failure) });
  refuseOutage(failure, logger);
};
