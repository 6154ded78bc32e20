import type { Logger, Transaction } from '@lendtools/service-kit';
import type Stripe from 'stripe';
import { findDispute, listDisputes, upsertDispute } from './dispute-repository.ts';
import { answerByOf, disputeStateOf, sumDisputes } from './domain/dispute.ts';
import { changeDisputes } from './domain/payment.ts';
import { fitRefunds } from './fit-refunds.ts';
import { findPaymentByIntent, lockPayment } from './payment-repository.ts';
import { resumeRefunds } from './refund-repository.ts';
import { saveDecision } from './save-payment.ts';
import { idOf } from './stripe-api.ts';

/**
 * Applies a dispute as Stripe showed it at `askedAt`. Two webhooks may read it in one order and get here in the other, and a
 * bank may revise its decision: so the reply to the later request wins, not the more final state.
 */
export const settleDispute = async (
  tx: Transaction,
  seen: Stripe.Dispute,
  { askedAt, logger }: { askedAt: Date; logger: Logger },
): Promise<void> => {
  const found = await findPaymentByIntent(tx, idOf(seen.payment_intent));
  if (!found) return;
  const payment = await lockPayment(tx, found.id);
  const known = await findDispute(tx, seen.id);
  if (known && known.askedAt > askedAt) return;
  const state = disputeStateOf(seen.status);
  const { id: disputeId, amount: amountCents, reason, status } = seen;
  const answerBy = answerByOf(status, seen.evidence_details.due_by);
  const dispute = { disputeId, paymentId: payment.id, amountCents, state, status, reason };
  await upsertDispute(tx, { ...dispute, answerBy, askedAt });
  if (known?.state === state && known.amountCents === amountCents) return;
  const sums = sumDisputes(await listDisputes(tx, payment.id));
  const news = { disputeId, disputeCents: amountCents, state, reason };
  const event = { ...news, answerBy: answerBy?.toISOString() ?? null };
  await saveDecision(tx, payment, changeDisputes(payment, sums, event));
  await fitRefunds(tx, payment.id, logger);
  if (sums.heldCents === 0) await resumeRefunds(tx, payment.id);
};
