import type { SavedCard } from '@lendtools/contracts';
import type Stripe from 'stripe';
import type { Deps } from '../deps.ts';
import { findCustomer } from '../store/customer-repository.ts';
import { undefinedIfGone } from '../stripe/stripe-api.ts';

const mostMethods = 100;

/** Reads a user's payment methods from Stripe, newest first. Those that a renter did not choose to save are left out. */
export const readMethods = async (
  { pool, stripe }: Deps,
  userId: string,
): Promise<Stripe.PaymentMethod[]> => {
  const customer = await findCustomer(pool, userId);
  if (!customer) return [];
  const page = await stripe.customers
    .listPaymentMethods(
      customer,
      { type: 'card', allow_redisplay: 'always', limit: mostMethods },
      // The card form waits for it.
      { timeout: 3_000, maxNetworkRetries: 0 },
    )
    .catch(undefinedIfGone);
  return page?.data ?? [];
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
