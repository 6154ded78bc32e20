import { faultPoint, inTransaction } from '@lendtools/service-kit';
import Stripe from 'stripe';
import type { Deps } from '../deps.ts';
import { observe } from '../domain/payment.ts';
import {
  checkLater,
  claimDuePayments,
  type DuePayment,
  lockPayment,
} from '../payment-repository.ts';
import { saveDecision } from '../save-payment.ts';
import { settlePayment, takeIn } from '../settle-payment.ts';
import { withoutSecrets } from '../stripe-api.ts';

const batchSize = 20;

/**
 * Settles what neither the webhook nor the browser has settled, and cancels what was not paid in time.
 * Each row is claimed in one statement (SKIP LOCKED), so that replicas share the work; a row whose turn
 * fails is due again when its lease is over.
 */
export const reconcilePayments = async (deps: Deps): Promise<void> => {
  for (;;) {
    const due = await claimDuePayments(deps.pool, batchSize);
    // Side by side: while Stripe hangs, one after the other would outlive the lease.
    await Promise.all(
      due.map((payment) =>
        reconcile(deps, payment).catch((error) => {
          const err = withoutSecrets(error);
          deps.logger.warn({ err, paymentId: payment.id }, 'a payment could not be settled');
        }),
      ),
    );
    if (due.length < batchSize) return;
  }
};

const reconcile = async (deps: Deps, claimed: DuePayment): Promise<void> => {
  const payment = await settlePayment(deps, claimed);
  const isOpen = payment.state.status === 'pending' || payment.state.status === 'failed';
  if (!isOpen) return;
  if (!claimed.isExpired) await checkLater(deps.pool, payment.id);
  else if (payment.intentId) await cancelAtStripe(deps, payment.id, payment.intentId);
  else await giveUp(deps, payment.id);
};

/**
 * The hold's dates go back to the others only once Stripe says that nobody can pay any more: hence first
 * the cancel there, then the PaymentFailed that releases them.
 */
const cancelAtStripe = async (
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
  await inTransaction(pool, (tx) => takeIn(tx, paymentId, intent));
};

/** Without an intent that anybody was given, nothing can be paid: it ends here. */
const giveUp = async ({ pool }: Deps, paymentId: string): Promise<void> => {
  await inTransaction(pool, async (tx) => {
    const payment = await lockPayment(tx, paymentId);
    if (payment.intentId) return;
    await saveDecision(tx, payment, observe(payment, { kind: 'canceled' }, new Date()));
  });
};
