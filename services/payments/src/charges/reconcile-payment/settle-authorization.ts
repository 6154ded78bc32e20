import { internalRoutes } from '@lendtools/contracts';
import { call, faultPoint, inTransaction } from '@lendtools/service-kit';
import Stripe from 'stripe';
import type { Deps } from '../../deps.ts';
import {
  checkAuthorizationLater,
  nextIntentAttempt,
  type StoredPayment,
  stopChecking,
} from '../../store/payment-repository.ts';
import { isStoredFailure } from '../../stripe/stripe-api.ts';
import { cancelAtStripe } from '../cancel-intent.ts';
import { settleIntent } from '../settle-payment.ts';

/**
 * Reports to the bookings service whether a hold's card is authorized, then captures or cancels it as the reply says.
 * Runs repeatedly until the money is charged or released and the bookings service has acknowledged this. Events only
 * start a run earlier.
 */
export const settleAuthorization = async (deps: Deps, payment: StoredPayment): Promise<void> => {
  const { id: paymentId, userId, holdId, amountCents, intentId, state } = payment;
  if (!holdId || !intentId)
    throw new Error(`Payment ${paymentId} is on request but has no hold or no intent`);
  const status = state.status === 'canceled' ? 'canceled' : 'authorized';
  const { approval } = await call(deps.bookings, internalRoutes.settleAuthorization, {
    params: { holdId },
    body: { paymentId, userId, amountCents, status },
    token: deps.config.INTERNAL_SECRET[0],
    timeoutMs: 3_000,
  });
  if (status === 'canceled') await stopChecking(deps.pool, paymentId);
  else if (approval === 'accepted') await capture(deps, payment, intentId);
  else if (approval === 'ended') await cancelAtStripe(deps, paymentId, intentId);
  else await checkAuthorizationLater(deps.pool, paymentId);
};

/** Captures the intent. Idempotent by the key, and because Stripe never captures an intent twice. */
const capture = async (
  deps: Deps,
  { id, intentAttempt }: StoredPayment,
  intentId: string,
): Promise<void> => {
  const { pool, stripe } = deps;
  await faultPoint('payments.beforeStripeCapture');
  const idempotencyKey = `capture:${id}:${intentAttempt}`;
  let isDeclined = false;
  const intent = await stripe.paymentIntents
    .capture(intentId, {}, { idempotencyKey })
    .catch(async (error: unknown) => {
      isDeclined = error instanceof Stripe.errors.StripeCardError;
      // Stripe replays a 500 under the same key, so take a fresh key next time.
      if (isStoredFailure(error)) await nextIntentAttempt(pool, id, intentAttempt);
      else if (!isFinalError(error)) throw error;
      return stripe.paymentIntents.retrieve(intentId);
    });
  await faultPoint('payments.afterStripeCapture');
  // Cancel after a decline, to release the authorization: the renter can't enter another card.
  const isStillAuthorized = isDeclined && intent.status === 'requires_capture';
  if (isStillAuthorized || intent.status === 'requires_payment_method')
    return cancelAtStripe(deps, id, intentId);
  await inTransaction(pool, (tx) => settleIntent(tx, id, intent));
};

/** Whether retrying is useless: the bank declined, the authorization is gone, or the intent was already captured. */
const isFinalError = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeInvalidRequestError ||
  error instanceof Stripe.errors.StripeCardError;
