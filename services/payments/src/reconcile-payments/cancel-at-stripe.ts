import { faultPoint, inTransaction } from '@lendtools/service-kit';
import Stripe from 'stripe';
import type { Deps } from '../deps.ts';
import { readFailedCards, takeIn } from '../settle-payment.ts';

/**
 * The hold's dates go back to the others only once Stripe says that nobody can pay any more: hence first
 * the cancel there, then the PaymentFailed that releases them.
 */
export const cancelAtStripe = async (
  { pool, stripe }: Deps,
  paymentId: string,
  intentId: string,
): Promise<void> => {
  const intent = await stripe.paymentIntents
    .cancel(intentId, { cancellation_reason: 'abandoned' })
    .catch((error: unknown) => {
      // Paid or cancelled in this very moment: what it is now is what counts.
      if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
      return stripe.paymentIntents.retrieve(intentId);
    });
  await faultPoint('payments.afterStripeCancel');
  const failedCards = await readFailedCards(stripe, intent);
  await inTransaction(pool, (tx) => takeIn(tx, paymentId, intent, failedCards));
};
