import { routes } from '@lendtools/contracts';
import {
  AppError,
  faultPoint,
  forbidden,
  handle,
  type Identity,
  once,
} from '@lendtools/service-kit';
import { attachIntent } from '../attach-intent.ts';
import { checkOut, checkPaymentLimit } from '../check-out.ts';
import type { Deps } from '../deps.ts';
import { holdExpired, paymentDeclined, priceChanged, tooManyPayments } from '../errors.ts';
import { payerNetworks, refuseTooManyDeclines } from '../limit-declines.ts';
import {
  expirePaymentOfHold,
  findOpenUnassigned,
  findPayment,
  findPaymentOfHold,
  hasEndedByDeclines,
  lockOpenUnassigned,
  type NewPayment,
  nextIntentAttempt,
  openPayment,
  type StoredPayment,
} from '../payment-repository.ts';
import { cancelAtStripe } from '../reconcile-payments/cancel-at-stripe.ts';
import { cancelWithoutIntent } from '../reconcile-payments/reconcile-payments.ts';
import { isKeptFailure, refuseOutage } from '../stripe-api.ts';

export const createPaymentIntent = (deps: Deps) =>
  handle(routes.createPaymentIntent, async ({ body, user, idempotencyKey, request }) => {
    const payer = { userId: user.userId, networks: payerNetworks(deps.config, request.ip ?? '') };
    const wanted = body.holdId
      ? await priceHold(deps, { ...body, holdId: body.holdId, user })
      : await unassignedPayment(deps, { amount: body.amount, user });
    const keyed = {
      key: idempotencyKey,
      scope: user.userId,
      route: 'create-payment-intent',
      content: body,
    };
    const attempt = () =>
      once(deps.pool, keyed, async (tx) => {
        await refuseTooManyDeclines(tx, payer, deps.config);
        if (wanted.holdId === null && (await lockOpenUnassigned(tx, user.userId)))
          throw tooManyPayments();
        const networks = payer.networks.map(({ key }) => key);
        const payment = await openPayment(tx, { ...wanted, networks });
        if (payment.userId !== user.userId) throw forbidden();
        return { paymentId: payment.id };
      });
    const { paymentId } = await attempt().catch(async (error: unknown) => {
      if (!(error instanceof AppError && error.code === 'TOO_MANY_PAYMENTS')) throw error;
      await cancelUnassigned(deps, user.userId);
      return attempt();
    });
    return { paymentId, clientSecret: await ensureIntent(deps, paymentId, user.token) };
  });

type WantedPayment = Omit<NewPayment, 'networks'>;

/** Takes the price from bookings. The client's amount is only compared with it, because the renter agreed to that price. */
const priceHold = async (
  { bookings, pool }: Deps,
  request: { holdId: string; amount: number; user: Identity },
): Promise<WantedPayment> => {
  const { holdId, amount, user } = request;
  const checkout = await checkOut(bookings, holdId, user.token).catch(async (error: unknown) => {
    const payment = await findPaymentOfHold(pool, holdId);
    if (payment?.userId === user.userId) refuseDeclined(payment);
    throw error;
  });
  if (checkout.amountCents !== amount) throw priceChanged(checkout.amountCents);
  return {
    userId: user.userId,
    holdId,
    onRequest: checkout.onRequest,
    amountCents: checkout.amountCents,
    expiresAt: new Date(checkout.expiresAt),
  };
};

/** A payment without a hold: bookings allocates it to a booking later, or it is refunded. */
const unassignedPayment = async (
  { bookings, config }: Deps,
  { amount, user }: { amount: number; user: Identity },
): Promise<WantedPayment> => {
  await checkPaymentLimit(bookings, user);
  const expiresAt = new Date(Date.now() + config.UNASSIGNED_PAYMENT_TTL_MINUTES * 60_000);
  return { userId: user.userId, holdId: null, onRequest: false, amountCents: amount, expiresAt };
};

/** Throws PAYMENT_DECLINED if declines ended the payment, because the error of its ended hold would not explain why. */
const refuseDeclined = (payment: StoredPayment): void => {
  if (hasEndedByDeclines(payment)) throw paymentDeclined(payment.declines);
};

/**
 * Cancels the user's unpaid payment without a hold, because each user may have only one. A payment that has just been paid, or that
 * Stripe is still processing, is kept; in the latter case the new one is rejected.
 */
const cancelUnassigned = async (deps: Deps, userId: string): Promise<void> => {
  const { pool, logger } = deps;
  const open = await findOpenUnassigned(pool, userId);
  if (!open) return;
  if (open.intentId)
    await cancelAtStripe(deps, open.id, open.intentId).catch((error) =>
      refuseOutage(error, logger),
    );
  else await cancelWithoutIntent(deps, open.id);
};

/**
 * Creates the payment's intent, or returns the existing one. The row is committed first and names the idempotency key, so a retry
 * after a lost reply or a crash, and a concurrent request, get the same intent from Stripe. Stripe stores a 500 under the key, so
 * the next try takes a fresh one. An intent that the failed try may have created can't be paid, because no client has its secret;
 * it is canceled when its webhook arrives.
 */
const ensureIntent = async (deps: Deps, paymentId: string, token: string): Promise<string> => {
  const { pool, stripe, logger } = deps;
  const payment = await findPayment(pool, paymentId);
  if (payment) refuseDeclined(payment);
  if (!payment || payment.state.status === 'canceled') throw holdExpired();
  if (payment.clientSecret) return payment.clientSecret;
  if (payment.holdId) await checkHold(deps, payment.holdId, token);
  await faultPoint('payments.beforeStripeCreate');
  const intent = await stripe.paymentIntents
    .create(intentParams(payment), {
      idempotencyKey: `payment:${payment.id}:${payment.intentAttempt}`,
    })
    .catch(async (error: unknown) => {
      if (isKeptFailure(error)) await nextIntentAttempt(pool, payment.id, payment.intentAttempt);
      return refuseOutage(error, logger);
    });
  await faultPoint('payments.afterStripeCreate');
  const attached = await attachIntent(pool, payment.id, intent);
  if (!attached.clientSecret) throw holdExpired();
  return attached.clientSecret;
};

/**
 * Checks the hold again now that the row is committed. If the hold ended before that, its BookingExpired found no row, and nothing
 * would cancel the intent; if it ends later, BookingExpired finds the row.
 */
const checkHold = async (
  { bookings, pool }: Deps,
  holdId: string,
  token: string,
): Promise<void> => {
  await checkOut(bookings, holdId, token).catch(async (error: unknown) => {
    if (error instanceof AppError && error.status < 500) await expirePaymentOfHold(pool, holdId);
    throw error;
  });
};

/** Built from the row alone: Stripe rejects an idempotency key that is reused with another body. */
const intentParams = ({ id, userId, holdId, onRequest, amountCents }: StoredPayment) => {
  return {
    amount: amountCents,
    currency: 'usd',
    payment_method_types: ['card'],
    ...(onRequest && { capture_method: 'manual' as const }),
    description: 'LendTools rental',
    metadata: { paymentId: id, userId, ...(holdId && { holdId }) },
  };
};
