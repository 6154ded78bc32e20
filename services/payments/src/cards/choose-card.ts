import Stripe from 'stripe';
import type { Deps } from '../deps.ts';
import { cardNotFound } from '../domain/errors.ts';
import { findCustomer, forgetCustomer, storeCustomer } from '../store/customer-repository.ts';
import { type StoredPayment, saveKeepsCard } from '../store/payment-repository.ts';
import { readMethods } from './saved-cards.ts';

interface Choice {
  /** The payment method of a saved card. */
  cardId?: string | undefined;
  /** Keep the new card that pays. */
  saveCard?: boolean | undefined;
}

/** @throws AppError CARD_NOT_FOUND if the card is not one of the user's saved cards */
export const checkOwnCard = async (deps: Deps, userId: string, cardId: string): Promise<void> => {
  const methods = await readMethods(deps, userId);
  if (!methods.some(({ id }) => id === cardId)) throw cardNotFound();
};

/**
 * Lets an intent use a saved card, or keep a new one. Stripe attaches the card once it is charged or authorized, and rejects
 * payment methods of other customers. An intent without either has no customer, and needs no call.
 */
export const chooseCard = async (
  deps: Deps,
  payment: StoredPayment,
  { cardId, saveCard = false }: Choice,
): Promise<void> => {
  if (!cardId && !saveCard && !payment.keepsCard) return;
  const keepsCard = saveCard && !cardId;
  // Stored first, so that a later attempt takes it back even if this process dies now.
  if (keepsCard) await saveKeepsCard(deps.pool, payment.id, true);
  await updateIntent(deps, payment, keepsCard);
  if (!keepsCard) await saveKeepsCard(deps.pool, payment.id, false);
};

const updateIntent = async (
  deps: Deps,
  { intentId, userId }: StoredPayment,
  keepsCard: boolean,
): Promise<void> => {
  const customer = await openCustomer(deps, userId);
  const update = (id: string) =>
    deps.stripe.paymentIntents.update(intentId ?? '', {
      customer: id,
      setup_future_usage: keepsCard ? 'on_session' : '',
    });
  await update(customer).catch(async (error: unknown) => {
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
    // The intent was paid or canceled meanwhile, which the confirmation reports.
    if (error.code === 'payment_intent_unexpected_state') return;
    if (error.code !== 'resource_missing' || error.param !== 'customer') throw error;
    // The customer was deleted in Stripe's dashboard.
    await forgetCustomer(deps.pool, customer);
    await update(await openCustomer(deps, userId));
  });
};

/** Of two concurrent requests, one leaves a customer without cards behind. */
const openCustomer = async ({ pool, stripe }: Deps, userId: string): Promise<string> => {
  const stored = await findCustomer(pool, userId);
  if (stored) return stored;
  const created = await stripe.customers.create({ metadata: { userId } });
  return storeCustomer(pool, userId, created.id);
};
