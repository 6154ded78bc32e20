import { internalRoutes } from '@lendtools/contracts';
import { call, faultPoint, inTransaction } from '@lendtools/service-kit';
import Stripe from 'stripe';
import type { Deps } from '../deps.ts';
import {
  checkAuthorizationLater,
  nextIntentAttempt,
  type StoredPayment,
  stopChecking,
} from '../payment-repository.ts';
import { settleIntent } from '../settle-payment.ts';
import { isKeptFailure } from '../stripe-api.ts';
import { cancelAtStripe } from './cancel-at-stripe.ts';

/**
 * Reports to bookings that a hold's card is authorized, or no longer is, and then captures or cancels as bookings replies. Events
 * only trigger it earlier: it repeats until the money is charged or released and bookings has acknowledged the end.
 */
export const followRequest = async (deps: Deps, payment: StoredPayment): Promise<void> => {
  const { id: paymentId, userId, holdId, amountCents, intentId, state } = payment;
  if (!holdId || !intentId)
    throw new Error(`Payment ${paymentId} is on request but has no hold or no intent`);
  const status = state.status === 'canceled' ? 'canceled' : 'authorized';
  const { request } = await call(deps.bookings, internalRoutes.settleAuthorization, {
    params: { holdId },
    body: { paymentId, userId, amountCents, status },
    token: deps.config.INTERNAL_SECRET[0],
    timeoutMs: 3_000,
  });
  if (status === 'canceled') await stopChecking(deps.pool, paymentId);
  else if (request === 'accepted') await capture(deps, payment, intentId);
  else if (request === 'ended') await cancelAtStripe(deps, paymentId, intentId);
  else await checkAuthorizationLater(deps.pool, paymentId);
};

/** Charges the card. Idempotent by its key, and because Stripe never captures an intent twice. */
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
      // Stripe stores a 500 under the key: take a fresh key next time, and read the outcome from the intent.
      if (isKeptFailure(error)) await nextIntentAttempt(pool, id, intentAttempt);
      else if (!isFinalError(error)) throw error;
      return stripe.paymentIntents.retrieve(intentId);
    });
  await faultPoint('payments.afterStripeCapture');
  // The bank declined the capture, and the renter can't enter another card: cancel, to release the authorization.
  const isStillAuthorized = isDeclined && intent.status === 'requires_capture';
  if (isStillAuthorized || intent.status === 'requires_payment_method')
    return cancelAtStripe(deps, id, intentId);
  await inTransaction(pool, (tx) => settleIntent(tx, id, intent));
};

/** The bank declined, the authorization is gone, or the intent was already captured: a retry cannot succeed. */
const isFinalError = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeInvalidRequestError ||
  error instanceof Stripe.errors.StripeCardError;
