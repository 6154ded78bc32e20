import { addToOutbox } from '@lendtools/event-bus';
import { onCommit, type Transaction } from '@lendtools/service-kit';
import type { Decision, Payment } from '../domain/payment.ts';
import { eventOf, type RefundFields } from './payment-events.ts';
import { paymentCount } from './payment-metrics.ts';
import { type StoredPayment, updatePayment } from './payment-repository.ts';

/**
 * Saves a changed payment and publishes the decision's event. No-op if the decision changed nothing.
 * @returns the payment as it is afterwards
 */
export const saveDecision = async (
  tx: Transaction,
  before: StoredPayment,
  { payment, event }: Decision,
  refund?: RefundFields,
): Promise<StoredPayment> => {
  const after = { ...before, ...payment };
  if (payment.version === before.version) return after;
  const type = event?.type;
  await updatePayment(
    tx,
    payment,
    type === 'PaymentRefundedAtStripe' || type === 'PaymentDisputed',
  );
  const isAuthorized = payment.state.status === 'authorized';
  if (isAuthorized || type === 'PaymentSucceeded' || type === 'PaymentFailed')
    onCommit(tx, () => paymentCount.inc({ status: payment.state.status }));
  if (event) await addToOutbox(tx, eventOf(after, event, refund));
  return after;
};

/** Stores a change without publishing an event. */
export const savePayment = (
  tx: Transaction,
  before: StoredPayment,
  payment: Payment,
): Promise<StoredPayment> => saveDecision(tx, before, { payment, event: null });
