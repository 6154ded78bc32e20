import { addToOutbox, newEvent } from '@lendtools/event-bus';
import type { Transaction } from '@lendtools/service-kit';
import type Stripe from 'stripe';
import { upsertFraudWarning } from '../store/fraud-warning-repository.ts';
import { findPaymentByIntent, lockPayment } from '../store/payment-repository.ts';

export const settleFraudWarning = async (
  tx: Transaction,
  stripeWarning: Stripe.Radar.EarlyFraudWarning,
  { intentId, requestedAt }: { intentId: string; requestedAt: Date },
): Promise<void> => {
  const found = await findPaymentByIntent(tx, intentId);
  if (!found) return;
  const { id: paymentId, userId, holdId, amountCents, version } = await lockPayment(tx, found.id);
  const { id: warningId, fraud_type: fraudType, actionable: isActionable } = stripeWarning;
  const isNew = await upsertFraudWarning(tx, {
    warningId,
    paymentId,
    fraudType,
    isActionable,
    requestedAt,
  });
  if (!isNew || !isActionable) return;
  const data = { paymentId, userId, holdId, warningId, amountCents, fraudType };
  await addToOutbox(tx, newEvent('FraudWarningReceived', { id: paymentId, version }, data));
};
