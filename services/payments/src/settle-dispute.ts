import type { Logger, Transaction } from '@lendtools/service-kit';
import type Stripe from 'stripe';
import { findDispute, keepDispute, listDisputes } from './dispute-repository.ts';
import { answerByOf, disputeStateOf, sumDisputes } from './domain/dispute.ts';
import { changeDisputes } from './domain/payment.ts';
import { fitRefunds } from './fit-refunds.ts';
import { findPaymentByIntent, lockPayment } from './payment-repository.ts';
import { sendHeldRefunds } from './refund-repository.ts';
import { saveDecision } from './save-payment.ts';
import { idOf } from './stripe-api.ts';

/**
 * Takes in a dispute as Stripe showed it when it was asked. Two webhooks may read it in one order and come here in the
 * other, and a bank may change its mind: so the answer to the later question counts, not the later state.
 */
export const takeInDispute = async (
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
  await keepDispute(tx, { ...dispute, answerBy, askedAt });
  if (known?.state === state && known.amountCents === amountCents) return;
  const sums = sumDisputes(await listDisputes(tx, payment.id));
  const news = { disputeId, disputeCents: amountCents, state, reason };
  const event = { ...news, answerBy: answerBy?.toISOString() ?? null };
  await saveDecision(tx, payment, changeDisputes(payment, sums, event));
  await fitRefunds(tx, payment.id, logger);
  if (sums.heldCents === 0) await sendHeldRefunds(tx, payment.id);
};
