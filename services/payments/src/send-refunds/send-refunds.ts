import { faultPoint, inTransaction, rowAttempts } from '@lendtools/service-kit';
import Stripe from 'stripe';
import type { Deps } from '../deps.ts';
import { standingOf } from '../domain/refund.ts';
import { countRefund } from '../payment-metrics.ts';
import { findPayment, type StoredPayment } from '../payment-repository.ts';
import {
  claimDueRefunds,
  failRefund,
  holdRefund,
  lookAgainLater,
  type Refund,
  retryRefund,
} from '../refund-repository.ts';
import { takeInRefund } from '../settle-refund.ts';
import { isKeptFailure, refuseOutage, withoutSecrets } from '../stripe-api.ts';

const batchSize = 10;

/**
 * Sends the promised refunds, and checks again those that were sent. Shared by replicas: a refund is claimed for a
 * while, then due again.
 */
export const sendRefunds = async (deps: Deps): Promise<void> => {
  const { logger } = deps;
  const { attempt } = await rowAttempts(deps, 'send-refunds');
  for (;;) {
    const due = await claimDueRefunds(deps.pool, batchSize);
    // Side by side: while Stripe hangs, one after the other would outlive the lease.
    await Promise.all(
      due.map((refund) =>
        attempt(refund.key, () =>
          send(deps, refund).catch((error) => note(deps, refund, error)),
        ).catch((err) => logger.warn({ err, refund: refund.key }, 'a refund could not be sent')),
      ),
    );
    if (due.length < batchSize) return;
  }
};

const send = async (deps: Deps, refund: Refund): Promise<void> => {
  const payment = await findPayment(deps.pool, refund.paymentId);
  if (!payment?.intentId) throw new Error(`Refund ${refund.key} has no intent`);
  if (isHeld(payment) && !isGiven(refund)) return holdRefund(deps.pool, refund.key);
  await faultPoint('payments.beforeStripeRefund');
  const given =
    (await findGiven(deps, refund, payment.intentId)) ??
    (await give(deps, refund, payment.intentId));
  await faultPoint('payments.afterStripeRefund');
  await inTransaction(deps.pool, (tx) => takeInRefund(tx, given, deps.logger));
};

const isHeld = ({ state }: StoredPayment): boolean => 'heldCents' in state && state.heldCents > 0;

const give = ({ stripe }: Deps, refund: Refund, intentId: string): Promise<Stripe.Refund> => {
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

/** Stripe has it, and it has not failed: it is looked at, not sent. */
const isGiven = (refund: Refund): refund is Refund & { refundId: string } =>
  refund.refundId !== null && refund.status !== 'failed';

/**
 * After an error the refund may have been given all the same, and its key may replay the error. After a restore even one that
 * was never tried may have been, so long ago that Stripe has forgotten its key. Of a failed
 * refund, those that failed at Stripe are known: only another one counts.
 */
const findGiven = async (
  { stripe }: Deps,
  refund: Refund,
  intentId: string,
): Promise<Stripe.Refund | undefined> => {
  if (isGiven(refund)) return stripe.refunds.retrieve(refund.refundId);
  const { key, status } = refund;
  const { data } = await stripe.refunds.list({ payment_intent: intentId, limit: 100 });
  return data.find(
    (one) =>
      one.metadata?.refundKey === key &&
      (status === 'pending' || standingOf(one.status) !== 'failed'),
  );
};

/** @throws the failure, unless Stripe refused the refund: `RefundsFailing` is its alert */
const note = async (deps: Deps, refund: Refund, failure: unknown): Promise<void> => {
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
  if (refund.status === 'succeeded') await lookAgainLater(pool, key);
  else await retryRefund(pool, key, { error, freshKey: isKeptFailure(failure) });
  refuseOutage(failure, logger);
};
