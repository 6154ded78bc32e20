import { inTransaction, rowAttempts } from '@lendtools/service-kit';
import type { Deps } from '../deps.ts';
import { observe } from '../domain/payment.ts';
import {
  checkLater,
  claimDuePayments,
  type DuePayment,
  lockPayment,
  type StoredPayment,
} from '../payment-repository.ts';
import { saveDecision } from '../save-payment.ts';
import { settlePayment } from '../settle-payment.ts';
import { refuseOutage } from '../stripe-api.ts';
import { cancelAtStripe } from './cancel-at-stripe.ts';
import { followRequest } from './follow-request.ts';

const batchSize = 20;

/**
 * Settles payments that neither the webhook nor the browser has settled, and cancels those that were not paid in time. Replicas
 * share the work by claiming rows; a row that fails is due again when its lease ends.
 */
export const reconcilePayments = async (deps: Deps): Promise<void> => {
  const { logger } = deps;
  const { attempt } = await rowAttempts(deps, 'reconcile-payments');
  for (;;) {
    const due = await claimDuePayments(deps.pool, batchSize);
    // In parallel: while Stripe hangs, a sequential batch would outlive the lease.
    await Promise.all(
      due.map((payment) =>
        attempt(payment.id, () =>
          reconcile(deps, payment).catch((error) => refuseOutage(error, logger)),
        ).catch((err) =>
          logger.warn({ err, paymentId: payment.id }, 'a payment could not be settled'),
        ),
      ),
    );
    if (due.length < batchSize) return;
  }
};

const reconcile = async (deps: Deps, claimed: DuePayment): Promise<void> => {
  if (isFollowed(claimed)) return followRequest(deps, claimed);
  const payment = await settlePayment(deps, claimed);
  // A payment that has just been authorized is due again at once.
  const isOpen = payment.state.status === 'pending' || payment.state.status === 'failed';
  if (!isOpen) return;
  if (!claimed.isExpired) await checkLater(deps.pool, payment.id, '2 minutes');
  else if (payment.intentId) await cancelAtStripe(deps, payment.id, payment.intentId);
  else await cancelWithoutIntent(deps, payment.id);
};

/** Whether it is an authorization, or a canceled one whose end bookings has not acknowledged yet. */
const isFollowed = ({ state }: StoredPayment): boolean =>
  state.status === 'authorized' || state.status === 'canceled';

/** Cancels a payment without an intent, which needs no request to Stripe because nothing can be paid. */
export const cancelWithoutIntent = async ({ pool }: Deps, paymentId: string): Promise<void> => {
  await inTransaction(pool, async (tx) => {
    const payment = await lockPayment(tx, paymentId);
    if (payment.intentId) return;
    await saveDecision(tx, payment, observe(payment, { kind: 'canceled' }, new Date()));
  });
};
