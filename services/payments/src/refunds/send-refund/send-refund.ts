import { faultPoint, inTransaction, rowAttempts } from '@lendtools/service-kit';
import Stripe from 'stripe';
import type { Deps } from '../../deps.ts';
import { refundStatusOf } from '../../domain/refund.ts';
import { countRefund } from '../../store/payment-metrics.ts';
import { findPayment, type StoredPayment } from '../../store/payment-repository.ts';
import {
  claimDueRefund,
  failRefund,
  postponeRefund,
  type Refund,
  recheckRefundLater,
  retryRefund,
} from '../../store/refund-repository.ts';
import { isStoredFailure, rethrowOutage, withoutSecrets } from '../../stripe/stripe-api.ts';
import { settleRefund } from '../settle-refund.ts';

/** Sends a reserved refund, or checks one that was sent. After an error, the refund is due again when its lease ends. */
export const sendRefund = async (deps: Deps, key: string): Promise<void> => {
  const { logger } = deps;
  const refund = await claimDueRefund(deps.pool, key);
  if (!refund) return;
  const { attempt } = await rowAttempts(deps, 'send-refund');
  await attempt(key, () =>
    send(deps, refund).catch((error) => recordFailure(deps, refund, error)),
  ).catch((err) => logger.warn({ err, refund: key }, 'a refund could not be sent'));
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

const isAtStripe = (refund: Refund): refund is Refund & { refundId: string } =>
  refund.refundId !== null && refund.status !== 'failed';

/**
 * Searches Stripe for the refund before sending it. A try that ended with an error may have been carried out, although its
 * key replays the error. After a restore, Stripe may no longer know the key of a refund that was sent since the backup. If
 * our refund is `failed`, skips failed refunds at Stripe: they are earlier tries.
 */
const findAtStripe = async (
  { stripe }: Deps,
  refund: Refund,
  intentId: string,
): Promise<Stripe.Refund | undefined> => {
  if (isAtStripe(refund)) return stripe.refunds.retrieve(refund.refundId);
  const { key, status } = refund;
  for await (const one of stripe.refunds.list({ payment_intent: intentId, limit: 100 }))
    if (
      one.metadata?.refundKey === key &&
      (status === 'pending' || refundStatusOf(one.status) !== 'failed')
    )
      return one;
  return undefined;
};

/** @throws the failure, unless Stripe refused the refund (alert `RefundsFailing`) */
const recordFailure = async (deps: Deps, refund: Refund, failure: unknown): Promise<void> => {
  const { pool, logger } = deps;
  const { key, tries } = refund;
  const error = failure instanceof Error ? failure.message : String(failure);
  const isRejected = tries > 1 && failure instanceof Stripe.errors.StripeInvalidRequestError;
  if (isRejected) {
    logger.error({ err: withoutSecrets(failure), refund: key }, 'Stripe refused a refund');
    return inTransaction(pool, async (tx) => {
      if (await failRefund(tx, key, { refundId: null, error })) countRefund(tx, 'failed');
    });
  }
  if (refund.status === 'succeeded') await recheckRefundLater(pool, key);
  else await retryRefund(pool, key, { error, freshKey: isStoredFailure(failure) });
  rethrowOutage(failure, logger);
};
