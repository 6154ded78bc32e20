import type Stripe from 'stripe';
import { disputeStateOf } from '../../domain/dispute.ts';
import { refundStatusOf } from '../../domain/refund.ts';
import type { StripeRefund } from '../../domain/refund-fills.ts';
import type { PaymentFacts, StripeDispute } from '../../domain/settle-ledger.ts';
import { readTransfers } from '../../transfers/read-transfers.ts';

type MoneyAtStripe = Required<Pick<PaymentFacts, 'charge' | 'refunds' | 'disputes' | 'transfers'>>;

/** Reads what Stripe did with a payment's money. @throws Error if the intent has no captured charge */
export const readMoneyAtStripe = async (
  stripe: Stripe,
  paymentId: string,
  intentId: string,
): Promise<MoneyAtStripe> => {
  const { latest_charge: charge } = await stripe.paymentIntents.retrieve(intentId, {
    expand: ['latest_charge'],
  });
  if (!charge || typeof charge === 'string' || !charge.captured)
    throw new Error(`The intent ${intentId} has no captured charge`);
  const refunds = await stripe.refunds
    .list({ charge: charge.id, limit: 100 })
    .autoPagingToArray({ limit: 10_000 });
  const disputes = charge.disputed
    ? await stripe.disputes
        .list({ charge: charge.id, limit: 100 })
        .autoPagingToArray({ limit: 1_000 })
    : [];
  const { id: chargeId, amount_captured: cents } = charge;
  return {
    charge: { chargeId, cents, createdAt: timeOf(charge.created) },
    // Stripe lists the newest first.
    refunds: refunds.map(toRefund).reverse(),
    disputes: disputes.map(toDispute).reverse(),
    transfers: await readTransfers(stripe, { paymentId, intentId }),
  };
};

const timeOf = (seconds: number): Date => new Date(seconds * 1_000);

const toRefund = (refund: Stripe.Refund): StripeRefund => ({
  refundId: refund.id,
  refundKey: refund.metadata?.refundKey ?? null,
  cents: refund.amount,
  status: refundStatusOf(refund.status),
  isCharged: refund.balance_transaction !== null,
  createdAt: timeOf(refund.created),
});

const toDispute = (dispute: Stripe.Dispute): StripeDispute => ({
  disputeId: dispute.id,
  state: disputeStateOf(dispute.status),
  // The fee is a part of the balance transaction, not of its amount.
  transactions: dispute.balance_transactions.map(({ id, amount, created }) => ({
    transactionId: id,
    cents: amount,
    createdAt: timeOf(created),
  })),
});
