import { rowAttempts } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import {
  checkLater,
  claimDuePayment,
  type DuePayment,
  type StoredPayment,
} from '../../store/payment-repository.ts';
import { rethrowOutage } from '../../stripe/stripe-api.ts';
import { cancelAtStripe, cancelWithoutIntent } from '../cancel-intent.ts';
import { settlePayment } from '../settle-payment.ts';
import { settleAuthorization } from './settle-authorization.ts';

/**
 * Settles a payment that neither the webhook nor the browser has settled, or cancels it if it was not paid in time. After
 * an error, the payment is due again when its lease ends.
 */
export const reconcilePayment = async (deps: Deps, id: string): Promise<void> => {
  const { logger } = deps;
  const due = await claimDuePayment(deps.pool, id);
  if (!due) return;
  const { attempt } = await rowAttempts(deps, 'reconcile-payment');
  await attempt(id, () =>
    reconcile(deps, due).catch((error) => rethrowOutage(error, logger)),
  ).catch((err) => logger.warn({ err, paymentId: id }, 'a payment could not be settled'));
};

const reconcile = async (deps: Deps, claimed: DuePayment): Promise<void> => {
  if (isAuthorization(claimed)) return settleAuthorization(deps, claimed);
  const payment = await settlePayment(deps, claimed);
  // Skip a payment that is authorized by now: it is due again at once.
  const isOpen = payment.state.status === 'pending' || payment.state.status === 'failed';
  if (!isOpen) return;
  if (!claimed.isExpired) await checkLater(deps.pool, payment.id, '2 minutes');
  else if (payment.intentId) await cancelAtStripe(deps, payment.id, payment.intentId);
  else await cancelWithoutIntent(deps, payment.id);
};

/** Whether a claimed payment is authorized, or canceled and the bookings service has not acknowledged this yet. */
const isAuthorization = ({ state }: StoredPayment): boolean =>
  state.status === 'authorized' || state.status === 'canceled';
