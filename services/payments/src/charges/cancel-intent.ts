import { faultPoint, inTransaction } from '@lendtools/service-kit';
import Stripe from 'stripe';
import type { Deps } from '../deps.ts';
import { observe } from '../domain/payment.ts';
import { lockPayment } from '../store/payment-repository.ts';
import { saveDecision } from '../store/save-payment.ts';
import { readFailedCards, settleIntent } from './settle-payment.ts';

/** Cancels the intent before PaymentFailed frees the hold's dates: nobody may pay for dates that are free again. */
export const cancelAtStripe = async (
  { pool, stripe }: Deps,
  paymentId: string,
  intentId: string,
): Promise<void> => {
  const intent = await stripe.paymentIntents
    .cancel(intentId, { cancellation_reason: 'abandoned' })
    .catch((error: unknown) => {
      // An invalid request means that the intent was paid or canceled meanwhile.
      if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
      return stripe.paymentIntents.retrieve(intentId);
    });
  await faultPoint('payments.afterStripeCancel');
  const failedCards = await readFailedCards(stripe, intent);
  await inTransaction(pool, (tx) => settleIntent(tx, paymentId, intent, failedCards));
};

export const cancelWithoutIntent = async ({ pool }: Deps, paymentId: string): Promise<void> => {
  await inTransaction(pool, async (tx) => {
    const payment = await lockPayment(tx, paymentId);
    if (payment.intentId) return;
    await saveDecision(tx, payment, observe(payment, { kind: 'canceled' }, new Date()));
  });
};
