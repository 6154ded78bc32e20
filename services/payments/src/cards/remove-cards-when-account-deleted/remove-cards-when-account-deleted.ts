import { type Consumer, subscribe } from '@lendtools/event-bus';
import type { Deps } from '../../deps.ts';
import { findCustomer, forgetCustomer } from '../../store/customer-repository.ts';
import { undefinedIfGone } from '../../stripe/stripe-api.ts';

/** Deletes the user's customer at Stripe, which detaches the saved cards. Payments and refunds stay. */
export const removeCardsWhenAccountDeleted = ({ pool, stripe }: Deps): Consumer =>
  subscribe('payments.remove-cards-when-account-deleted', async ({ data: { userId } }) => {
    const customer = await findCustomer(pool, userId);
    if (!customer) return;
    await stripe.customers.del(customer).catch(undefinedIfGone);
    await forgetCustomer(pool, customer);
  });
