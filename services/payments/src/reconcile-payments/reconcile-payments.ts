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
 * Settles what neither the webhook nor the browser has settled, and cancels what was not paid in time.
 * Each row is claimed in one statement (SKIP LOCKED), so that replicas share the work; a row whose turn
 * fails is due again when its lease is over.
 */
export const reconcilePayments = async (deps: Deps): Promise<void> => {
  const { logger } = deps;
  const { attempt } = await rowAttempts(deps, 'reconcile-payments');
  for (;;) {
    const due = await claimDuePayments(deps.pool, batchSize);
    // Side by side: while Stripe hangs, one after the other would outlive the lease.
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
  // Authorized just now: due again at once.
  const isOpen = payment.state.status === 'pending' || payment.state.status === 'failed';
  if (!isOpen) return;
  if (!claimed.isExpired) await checkLater(deps.pool, payment.id, '2 minutes');
  else if (payment.intentId) await cancelAtStripe(deps, payment.id, payment.intentId);
  else await giveUp(deps, payment.id);
};

/** An authorization, or one that has ended and that bookings may not know of. */
const isFollowed = ({ state }: StoredPayment): boolean =>
  state.status === 'authorized' || state.status === 'canceled';

/** Without an intent that anybody was given, nothing can be paid: it ends here. */
export const giveUp = async ({ pool }: Deps, paymentId: string): Promise<void> => {
  await inTransaction(pool, async (tx) => {
    const payment = await lockPayment(tx, paymentId);
    if (payment.intentId) return;
    await saveDecision(tx, payment, observe(payment, { kind: 'canceled' }, new Date()));
  });
};
