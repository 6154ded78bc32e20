import { type Dispute, newId, nowInSeconds } from './objects.ts';
import { asText, type Params } from './payment-methods.ts';
import { dollars, findCharge } from './refunds.ts';
import { invalidRequest } from './stripe-error.ts';
import type { Transaction } from './transaction.ts';

const weekInSeconds = 7 * 86_400;

/** The cardholder asks their bank for the money back: the bank takes it at once, and decides later. */
export function openDispute(tx: Transaction, params: Params): Dispute {
  const charge = findCharge(tx, params);
  if (charge.disputed) throw invalidRequest(`Charge ${charge.id} is disputed already.`);
  const amount = params.amount === undefined ? charge.amount : Number(params.amount);
  if (!Number.isInteger(amount) || amount < 1 || amount > charge.amount) {
    throw invalidRequest(`A dispute of this charge is 1 to ${charge.amount} cents`, {
      param: 'amount',
    });
  }
  const created = nowInSeconds();
  const opened: Dispute = {
    id: newId('du'),
    object: 'dispute',
    amount,
    balance_transactions: [],
    charge: charge.id,
    created,
    currency: charge.currency,
    evidence: {},
    evidence_details: {
      due_by: created + weekInSeconds,
      has_evidence: false,
      past_due: false,
      submission_count: 0,
    },
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    payment_intent: charge.payment_intent,
    reason: asText(params.reason) ?? 'fraudulent',
    status: 'needs_response',
  };
  const dispute = tx.put({ ...opened, balance_transactions: [moved(opened, -amount)] });
  tx.put({ ...charge, disputed: true });
  tx.emit('charge.dispute.created', opened);
  tx.emit('charge.dispute.funds_withdrawn', dispute);
  return dispute;
}

/** The shop has answered, and the bank looks at it. */
export function answerDispute(tx: Transaction, id: string): Dispute {
  const answered = tx.put<Dispute>({ ...findOpen(tx, id), status: 'under_review' });
  tx.emit('charge.dispute.updated', answered);
  return answered;
}

/** The bank decides: won, the money comes back; lost, the cardholder keeps it. */
export function closeDispute(tx: Transaction, id: string, outcome: unknown): Dispute {
  const open = findOpen(tx, id);
  if (outcome !== 'won' && outcome !== 'lost')
    throw invalidRequest('A dispute is won or lost.', { param: 'outcome' });
  const balance_transactions = [...open.balance_transactions];
  if (outcome === 'won') balance_transactions.push(moved(open, open.amount));
  const closed = tx.put<Dispute>({ ...open, status: outcome, balance_transactions });
  if (outcome === 'won') tx.emit('charge.dispute.funds_reinstated', closed);
  tx.emit('charge.dispute.closed', closed);
  return closed;
}

function findOpen(tx: Transaction, id: string): Dispute {
  const dispute = tx.dispute(id);
  if (dispute.status === 'won' || dispute.status === 'lost')
    throw invalidRequest(`Dispute ${id} of ${dollars(dispute.amount)} is ${dispute.status}.`);
  return dispute;
}

function moved(dispute: Dispute, amount: number): object {
  return {
    id: newId('txn'),
    object: 'balance_transaction',
    amount,
    created: nowInSeconds(),
    currency: dispute.currency,
    description: `Chargeback ${amount < 0 ? 'withdrawal' : 'reversal'} for ${dispute.charge}`,
    reporting_category: amount < 0 ? 'dispute' : 'dispute_reversal',
    source: dispute.id,
    type: 'adjustment',
  };
}
