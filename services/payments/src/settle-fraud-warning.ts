import { addToOutbox, newEvent } from '@lendtools/event-bus';
import type { Transaction } from '@lendtools/service-kit';
import type Stripe from 'stripe';
import { upsertFraudWarning } from './fraud-warning-repository.ts';
import { findPaymentByIntent, lockPayment } from './payment-repository.ts';

/** Stores an early fraud warning, and publishes a new one if a refund can still prevent the dispute. */
export const settleFraudWarning = async (
  tx: Transaction,
  seen: Stripe.Radar.EarlyFraudWarning,
  { intentId, askedAt }: { intentId: string; askedAt: Date },
): Promise<void> => {
  const found = await findPaymentByIntent(tx, intentId);
  if (!found) return;
  const { id: paymentId, userId, holdId, amountCents, version } = await lockPayment(tx, found.id);
  const { id: warningId, fraud_type: fraudType, actionable: isActionable } = seen;
  const isNew = await upsertFraudWarning(tx, {
    warningId,
    paymentId,
    fraudType,
    isActionable,
    askedAt,
  });
  if (!isNew || !isActionable) return;
  const data = { paymentId, userId, holdId, warningId, amountCents, fraudType };
  await addToOutbox(tx, newEvent('FraudWarningReceived', { id: paymentId, version }, data));
};
