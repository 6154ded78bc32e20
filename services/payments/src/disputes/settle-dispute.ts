import type { Transaction } from '@lendtools/service-kit';
import type Stripe from 'stripe';
import { answerByOf, disputeStateOf, sumDisputes } from '../domain/dispute.ts';
import { applyDisputes } from '../domain/payment.ts';
import { findDispute, listDisputes, upsertDispute } from '../store/dispute-repository.ts';
import { findPaymentByIntent, lockPayment } from '../store/payment-repository.ts';
import { resumeRefunds } from '../store/refund-repository.ts';
import { saveDecision } from '../store/save-payment.ts';
import { idOf } from '../stripe/stripe-api.ts';

/** Stores a dispute. The reply to the later request wins: webhooks may finish out of order, and banks revise decisions. */
export const settleDispute = async (
  tx: Transaction,
  stripeDispute: Stripe.Dispute,
  requestedAt: Date,
): Promise<void> => {
  const found = await findPaymentByIntent(tx, idOf(stripeDispute.payment_intent));
  if (!found) return;
  const payment = await lockPayment(tx, found.id);
  const stored = await findDispute(tx, stripeDispute.id);
  if (stored && stored.requestedAt > requestedAt) return;
  const state = disputeStateOf(stripeDispute.status);
  const { id: disputeId, amount: amountCents, reason, status } = stripeDispute;
  const answerBy = answerByOf(status, stripeDispute.evidence_details.due_by);
  const dispute = { disputeId, paymentId: payment.id, amountCents, state, status, reason };
  await upsertDispute(tx, { ...dispute, answerBy, requestedAt });
  if (stored?.state === state && stored.amountCents === amountCents) return;
  const sums = sumDisputes(await listDisputes(tx, payment.id));
  const change = { disputeId, disputeCents: amountCents, state, reason };
  const event = { ...change, answerBy: answerBy?.toISOString() ?? null };
  await saveDecision(tx, payment, applyDisputes(payment, sums, event));
  // Not after a loss: the ledger must first withdraw the refunds whose money the bank took.
  if (state === 'won' && sums.heldCents === 0) await resumeRefunds(tx, payment.id);
};
