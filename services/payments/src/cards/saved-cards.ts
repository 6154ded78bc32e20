import type { SavedCard } from '@lendtools/contracts';
import Stripe from 'stripe';
import type { Deps } from '../deps.ts';
import { findCustomer } from '../store/customer-repository.ts';
import { undefinedIfGone } from '../stripe/stripe-api.ts';

const mostMethods = 100;

/** For calls that the card form waits for. */
export const quickly = { timeout: 3_000, maxNetworkRetries: 0 };

/** Reads a user's payment methods from Stripe, newest first, also those that the renter did not choose to save. */
export const readAllMethods = async (
  { pool, stripe }: Deps,
  userId: string,
): Promise<Stripe.PaymentMethod[]> => {
  const customer = await findCustomer(pool, userId);
  if (!customer) return [];
  const page = await stripe.customers
    .listPaymentMethods(customer, { type: 'card', limit: mostMethods }, quickly)
    .catch(undefinedIfGone);
  return page?.data ?? [];
};

export const isSaved = ({ allow_redisplay }: Stripe.PaymentMethod): boolean =>
  allow_redisplay === 'always';

/** Reads the payment methods that the renter chose to save, newest first. */
export const readMethods = async (deps: Deps, userId: string): Promise<Stripe.PaymentMethod[]> =>
  (await readAllMethods(deps, userId)).filter(isSaved);

export const detachMethod = async (
  { stripe }: Deps,
  id: string,
  options: Stripe.RequestOptions = {},
): Promise<void> => {
  await stripe.paymentMethods.detach(id, {}, options).catch((error: unknown) => {
    // A concurrent request has detached it.
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
  });
};

/** A card that was saved twice has two payment methods with one fingerprint. */
export const isSameCard = (one: Stripe.PaymentMethod, other: Stripe.PaymentMethod): boolean =>
  one.id === other.id ||
  (Boolean(one.card?.fingerprint) && one.card?.fingerprint === other.card?.fingerprint);

export const toCards = (methods: Stripe.PaymentMethod[]): SavedCard[] =>
  methods
    .filter((method, index) => methods.findIndex((one) => isSameCard(one, method)) === index)
    .flatMap(({ id, card }) =>
      card
        ? [
            {
              id,
              brand: card.brand,
              last4: card.last4,
              expMonth: card.exp_month,
              expYear: card.exp_year,
            },
          ]
        : [],
    );
