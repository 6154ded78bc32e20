import Stripe from 'stripe';
import type { Deps } from '../deps.ts';
import { cardNotFound, savedCardsUnusable } from '../domain/errors.ts';
import { findCustomer, forgetCustomer, storeCustomer } from '../store/customer-repository.ts';
import { type StoredPayment, setSavesCard } from '../store/payment-repository.ts';
import { idOf, undefinedIfGone, withoutSecrets } from '../stripe/stripe-api.ts';
import { readMethods } from './saved-cards.ts';

interface Choice {
  /** The payment method of a saved card. */
  cardId?: string | undefined;
  /** Save the new card that pays. */
  saveCard?: boolean | undefined;
}

/** @throws AppError CARD_NOT_FOUND if the card is not one of the user's saved cards */
export const checkOwnCard = async (deps: Deps, userId: string, cardId: string): Promise<void> => {
  const methods = await readMethods(deps, userId);
  if (!methods.some(({ id }) => id === cardId)) throw cardNotFound();
};

/**
 * Lets an intent use a saved card, or save a new one. Stripe attaches the card once it is charged or authorized, and rejects
 * payment methods of other customers. An intent without either has no customer, and needs no call.
 * @throws AppError CARD_NOT_FOUND if the intent cannot use saved cards
 */
export const chooseCard = async (
  deps: Deps,
  payment: StoredPayment,
  { cardId, saveCard = false }: Choice,
): Promise<void> => {
  if (!cardId && !saveCard && !payment.savesCard) return;
  const { customer } = await deps.stripe.paymentIntents.retrieve(payment.intentId ?? '', {
    expand: ['customer'],
  });
  const isUsable = await isOwnCustomer(deps, payment.userId, customer);
  if (cardId && !isUsable) throw savedCardsUnusable();
  const savesCard = saveCard && !cardId && isUsable;
  // Store it before the call, so that a later attempt unsets it even if this process dies now.
  if (savesCard) await setSavesCard(deps.pool, payment.id, true);
  await updateIntent(deps, payment, {
    needsCustomer: !customer && (savesCard || cardId !== undefined),
    savesCard,
  });
  if (!savesCard) await setSavesCard(deps.pool, payment.id, false);
};

/** An intent's customer can't be replaced, even if it was deleted in Stripe's dashboard. */
const isOwnCustomer = async (
  { pool }: Deps,
  userId: string,
  customer: Stripe.PaymentIntent['customer'],
): Promise<boolean> => {
  if (!customer) return true;
  if (typeof customer !== 'string' && customer.deleted) await forgetCustomer(pool, customer.id);
  return (await findCustomer(pool, userId)) === idOf(customer);
};

/** Stripe rejects a change of the customer, so it is sent only if the intent has none. */
const updateIntent = async (
  deps: Deps,
  { intentId, userId }: StoredPayment,
  { needsCustomer, savesCard }: { needsCustomer: boolean; savesCard: boolean },
): Promise<void> => {
  const update = async (customer?: string): Promise<void> => {
    await deps.stripe.paymentIntents
      .update(intentId ?? '', {
        ...(customer && { customer }),
        setup_future_usage: savesCard ? 'on_session' : '',
      })
      .catch(ignoreIfEnded);
  };
  if (!needsCustomer) return update();
  const customer = await openCustomer(deps, userId);
  await update(customer).catch(async (error: unknown) => {
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
    // A concurrent request has set the customer.
    if (error.code === unexpectedState) return update();
    if (error.code !== 'resource_missing' || error.param !== 'customer') throw error;
    // The customer was deleted in Stripe's dashboard.
    await forgetCustomer(deps.pool, customer);
    await update(await openCustomer(deps, userId));
  });
};

const unexpectedState = 'payment_intent_unexpected_state';
const endedStatuses: unknown[] = ['succeeded', 'canceled', 'requires_capture'];

/** The intent was paid or canceled meanwhile, which the confirmation reports. */
const ignoreIfEnded = (error: unknown): void => {
  const isEnded =
    error instanceof Stripe.errors.StripeInvalidRequestError &&
    error.code === unexpectedState &&
    endedStatuses.includes(error.payment_intent?.status);
  if (!isEnded) throw error;
};

const openCustomer = async ({ pool, stripe, logger }: Deps, userId: string): Promise<string> => {
  const stored = await findCustomer(pool, userId);
  if (stored) return stored;
  const created = await stripe.customers.create({ metadata: { userId } });
  const customer = await storeCustomer(pool, userId, created.id);
  // A concurrent request has stored another customer. Only the stored one is deleted with the account.
  if (customer !== created.id)
    await stripe.customers
      .del(created.id)
      .catch(undefinedIfGone)
      .catch((error: unknown) =>
        logger.warn({ err: withoutSecrets(error) }, 'an unused customer could not be deleted'),
      );
  return customer;
};
