import { internalRoutes } from '@lendtools/contracts';
import { call, faultPoint, inTransaction } from '@lendtools/service-kit';
import Stripe from 'stripe';
import type { Deps } from '../deps.ts';
import {
  checkAuthorizationLater,
  checkNoMore,
  nextIntentAttempt,
  type StoredPayment,
} from '../payment-repository.ts';
import { takeIn } from '../settle-payment.ts';
import { isKeptFailure } from '../stripe-api.ts';
import { cancelAtStripe } from './cancel-at-stripe.ts';

/**
 * Tells bookings that a hold's card is authorized, or is no longer, and does what bookings wants done with it. Events only
 * hurry this: it is repeated until the money is charged or released and bookings knows.
 */
export const followRequest = async (deps: Deps, payment: StoredPayment): Promise<void> => {
  const { id: paymentId, userId, holdId, amountCents, intentId, state } = payment;
  if (!holdId || !intentId) throw new Error(`Payment ${paymentId} is on request, and has no hold`);
  const status = state.status === 'canceled' ? 'canceled' : 'authorized';
  const { request } = await call(deps.bookings, internalRoutes.settleAuthorization, {
    params: { holdId },
    body: { paymentId, userId, amountCents, status },
    token: deps.config.INTERNAL_SECRET[0],
    timeoutMs: 3_000,
  });
  if (status === 'canceled') await checkNoMore(deps.pool, paymentId);
  else if (request === 'accepted') await capture(deps, payment, intentId);
  else if (request === 'ended') await cancelAtStripe(deps, paymentId, intentId);
  else await checkAuthorizationLater(deps.pool, paymentId);
};

/** Once: by the key, and because Stripe captures nothing twice. */
const capture = async (
  deps: Deps,
  { id, intentAttempt }: StoredPayment,
  intentId: string,
): Promise<void> => {
  const { pool, stripe } = deps;
  await faultPoint('payments.beforeStripeCapture');
  const idempotencyKey = `capture:${id}:${intentAttempt}`;
  let isRefused = false;
  const intent = await stripe.paymentIntents
    .capture(intentId, {}, { idempotencyKey })
    .catch(async (error: unknown) => {
      isRefused = error instanceof Stripe.errors.StripeCardError;
      // A 500 is kept under its key: what came of it, the intent says.
      if (isKeptFailure(error)) await nextIntentAttempt(pool, id, intentAttempt);
      else if (!isAnswered(error)) throw error;
      return stripe.paymentIntents.retrieve(intentId);
    });
  await faultPoint('payments.afterStripeCapture');
  // The bank has refused: no other card is asked for, so it ends, and what is still authorized is released.
  const isLeft = isRefused && intent.status === 'requires_capture';
  if (isLeft || intent.status === 'requires_payment_method')
    return cancelAtStripe(deps, id, intentId);
  await inTransaction(pool, (tx) => takeIn(tx, id, intent));
};

/** The bank says no, or the authorization is gone, or it was captured before. */
const isAnswered = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeInvalidRequestError ||
  error instanceof Stripe.errors.StripeCardError;
