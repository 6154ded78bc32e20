import { routes } from '@lendtools/contracts';
import {
  AppError,
  faultPoint,
  forbidden,
  handle,
  type Identity,
  once,
  type Transaction,
} from '@lendtools/service-kit';
import { checkOwnCard, chooseCard } from '../../cards/choose-card.ts';
import type { Deps } from '../../deps.ts';
import { hasEndedByDeclines } from '../../domain/declines.ts';
import {
  holdExpired,
  paymentDeclined,
  priceChanged,
  tooManyPayments,
} from '../../domain/errors.ts';
import { attachIntent } from '../../store/attach-intent.ts';
import {
  expirePaymentOfHold,
  findOpenUnassigned,
  findPayment,
  findPaymentOfHold,
  findUnpaidOfHolds,
  lockPaymentsOf,
  type NewPayment,
  nextIntentAttempt,
  openPayment,
  type StoredPayment,
} from '../../store/payment-repository.ts';
import { isStoredFailure, rethrowOutage } from '../../stripe/stripe-api.ts';
import { cancelAtStripe, cancelWithoutIntent } from '../cancel-intent.ts';
import { settlePayment } from '../settle-payment.ts';
import { checkOut, checkPaymentLimit } from './check-out.ts';
import { payerNetworks, rejectTooManyDeclines } from './limit-declines.ts';

export const createPaymentIntent = (deps: Deps) =>
  handle(routes.createPaymentIntent, async ({ body, user, idempotencyKey, request }) => {
    const payer = { userId: user.userId, networks: payerNetworks(deps.config, request.ip ?? '') };
    const priced = body.holdId
      ? await priceHold(deps, { ...body, holdId: body.holdId, user })
      : await unassignedPayment(deps, { amount: body.amount, user });
    // Another card is another attempt of the same payment.
    const { cardId, saveCard, ...content } = body;
    if (cardId)
      await checkOwnCard(deps, user.userId, cardId).catch((error: unknown) =>
        rethrowOutage(error, deps.logger),
      );
    const keyed = {
      key: idempotencyKey,
      scope: user.userId,
      route: 'create-payment-intent',
      content,
    };
    const attempt = () =>
      once(deps.pool, keyed, async (tx) => {
        await rejectTooManyDeclines(tx, payer, deps.config);
        await rejectSecondUnpaid(tx, priced);
        const networks = payer.networks.map(({ key }) => key);
        const payment = await openPayment(tx, { ...priced, networks });
        if (payment.userId !== user.userId) throw forbidden();
        return { paymentId: payment.id };
      });
    const { paymentId } = await attempt().catch(async (error: unknown) => {
      if (!(error instanceof AppError && error.code === 'TOO_MANY_PAYMENTS')) throw error;
      if (priced.holdId) await settleUnpaid(deps, priced.otherHoldIds);
      else await cancelUnassigned(deps, user.userId);
      return attempt();
    });
    const clientSecret = await ensureIntent(deps, paymentId, user.token);
    const payment = await findPayment(deps.pool, paymentId);
    if (payment)
      await chooseCard(deps, payment, { cardId, saveCard }).catch((error: unknown) =>
        rethrowOutage(error, deps.logger),
      );
    return { paymentId, clientSecret };
  });

interface PricedPayment extends Omit<NewPayment, 'networks'> {
  /** The unpaid holds of the same cart. */
  otherHoldIds: string[];
}

/**
 * Allows one unpaid payment without a hold per user, and one per cart: otherwise a cart with many requests would be as many
 * payments to test stolen cards with. @throws AppError TOO_MANY_PAYMENTS
 */
const rejectSecondUnpaid = async (
  tx: Transaction,
  { userId, holdId, otherHoldIds }: PricedPayment,
): Promise<void> => {
  if (holdId && otherHoldIds.length === 0) return;
  await lockPaymentsOf(tx, userId);
  const unpaid = holdId
    ? await findUnpaidOfHolds(tx, otherHoldIds)
    : await findOpenUnassigned(tx, userId);
  if (unpaid) throw tooManyPayments();
};

/** Reads the price from the bookings service, and rejects a request whose amount differs: the renter agreed to that amount. */
const priceHold = async (
  { bookings, pool }: Deps,
  request: { holdId: string; amount: number; user: Identity },
): Promise<PricedPayment> => {
  const { holdId, amount, user } = request;
  const checkout = await checkOut(bookings, holdId, user.token).catch(async (error: unknown) => {
    const payment = await findPaymentOfHold(pool, holdId);
    if (payment?.userId === user.userId) rejectDeclined(payment);
    throw error;
  });
  if (checkout.amountCents !== amount) throw priceChanged(checkout.amountCents);
  return {
    userId: user.userId,
    holdId,
    onRequest: checkout.onRequest,
    amountCents: checkout.amountCents,
    expiresAt: new Date(checkout.expiresAt),
    otherHoldIds: checkout.otherHoldIds,
  };
};

const unassignedMs = 60 * 60_000;

/** A payment without a hold. The bookings service uses it to pay for bookings later, and refunds the rest. */
const unassignedPayment = async (
  { bookings }: Deps,
  { amount, user }: { amount: number; user: Identity },
): Promise<PricedPayment> => {
  await checkPaymentLimit(bookings, user);
  const expiresAt = new Date(Date.now() + unassignedMs);
  const { userId } = user;
  const none = { holdId: null, otherHoldIds: [], onRequest: false };
  return { ...none, userId, amountCents: amount, expiresAt };
};

/** Rejects a payment that was ended by declined cards. Without this check, the client would get HOLD_EXPIRED. */
const rejectDeclined = (payment: StoredPayment): void => {
  if (hasEndedByDeclines(payment)) throw paymentDeclined(payment.declines);
};

/** Cancels a user's unpaid payment without a hold: only one is allowed. Keeps a paid one; throws if one is processing. */
const cancelUnassigned = async (deps: Deps, userId: string): Promise<void> => {
  const { pool, logger } = deps;
  const open = await findOpenUnassigned(pool, userId);
  if (!open) return;
  if (open.intentId)
    await cancelAtStripe(deps, open.id, open.intentId).catch((error) =>
      rethrowOutage(error, logger),
    );
  else await cancelWithoutIntent(deps, open.id);
};

/** Reads the cart's other payment from Stripe: its card may have been charged or authorized since. */
const settleUnpaid = async (deps: Deps, holdIds: string[]): Promise<void> => {
  const unpaid = await findUnpaidOfHolds(deps.pool, holdIds);
  if (unpaid) await settlePayment(deps, unpaid).catch((error) => rethrowOutage(error, deps.logger));
};

/**
 * Returns the secret of a payment's intent. The row is committed first and determines the idempotency key, so retries
 * and concurrent requests get the same intent. Stripe stores a 500 under the key, so the next try takes a fresh key. If
 * the failed try created an intent, nobody can pay it: no client has its secret, and its webhook cancels it.
 */
const ensureIntent = async (deps: Deps, paymentId: string, token: string): Promise<string> => {
  const { pool, stripe, logger } = deps;
  const payment = await findPayment(pool, paymentId);
  if (payment) rejectDeclined(payment);
  if (!payment || payment.state.status === 'canceled') throw holdExpired();
  if (payment.clientSecret) return payment.clientSecret;
  if (payment.holdId) await checkHold(deps, payment.holdId, token);
  await faultPoint('payments.beforeStripeCreate');
  const intent = await stripe.paymentIntents
    .create(intentParams(payment), {
      idempotencyKey: `payment:${payment.id}:${payment.intentAttempt}`,
    })
    .catch(async (error: unknown) => {
      if (isStoredFailure(error)) await nextIntentAttempt(pool, payment.id, payment.intentAttempt);
      return rethrowOutage(error, logger);
    });
  await faultPoint('payments.afterStripeCreate');
  const attached = await attachIntent(pool, payment.id, intent);
  if (!attached.clientSecret) throw holdExpired();
  return attached.clientSecret;
};

/** Checks the hold again. If it ended before the row was committed, its BookingExpired found no payment to cancel. */
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

/** Uses only the row's values, because Stripe rejects an idempotency key that is reused with another body. */
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
