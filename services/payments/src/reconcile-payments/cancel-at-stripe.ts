import { faultPoint, inTransaction } from '@lendtools/service-kit';
import Stripe from 'stripe';
import type { Deps } from '../deps.ts';
import { readFailedCards, settleIntent } from '../settle-payment.ts';

/**
 * Cancels the intent at Stripe, then publishes the final PaymentFailed, which frees the hold's dates. This order matters: the
 * dates must not be free while the intent can still be paid.
 */
export const cancelAtStripe = async (
  { pool, stripe }: Deps,
  paymentId: string,
  intentId: string,
): Promise<void> => {
  const intent = await stripe.paymentIntents
    .cancel(intentId, { cancellation_reason: 'abandoned' })
    .catch((error: unknown) => {
      // The intent was paid or canceled meanwhile: apply its current status.
      if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
      return stripe.paymentIntents.retrieve(intentId);
    });
  await faultPoint('payments.afterStripeCancel');
  const failedCards = await readFailedCards(stripe, intent);
  await inTransaction(pool, (tx) => settleIntent(tx, paymentId, intent, failedCards));
};
