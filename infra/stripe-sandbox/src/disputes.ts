import { endWarnings } from './end-warnings.ts';
import { type Dispute, newId, nowInSeconds } from './objects.ts';
import { asText, type Params } from './payment-methods.ts';
import { dollars, findCharge } from './refunds.ts';
import { invalidRequest } from './stripe-error.ts';
import type { Transaction } from './transaction.ts';

const weekInSeconds = 7 * 86_400;

/**
 * The address has the secret key after its #, which browsers don't send to servers. The key is stored for later visits
 * without it.
 */
export function openDispute(tx: Transaction, params: Params): Dispute {
  const charge = findCharge(tx, params);
  if (charge.disputed) throw invalidRequest(`Charge ${charge.id} is disputed already.`);
  const amount = params.amount === undefined ? charge.amount : Number(params.amount);
  if (!Number.isInteger(amount) || amount < 1 || amount > charge.amount) {
    throw invalidRequest(`A dispute of this charge is 1 to ${charge.amount} cents`, {
      param: 'amount',
    });
  }
  const isInquiry = String(params.inquiry) === 'true';
  const created = nowInSeconds();
  const opened: Dispute = {
    id: newId('du'),
    object: 'dispute',
    amount,
    balance_transactions: [],
    charge: charge.id,
    created,
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: {},
    evidence_details: {
      due_by: created + weekInSeconds,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'not_submitted',
    },
    intended_submission_method: null,
    is_charge_refundable: isInquiry,
    livemode: false,
    metadata: {},
    payment_intent: charge.payment_intent,
    reason: asText(params.reason) ?? 'fraudulent',
    status: isInquiry ? 'warning_needs_response' : 'needs_response',
  };
  const dispute = tx.put(
    isInquiry ? opened : { ...opened, balance_transactions: [moved(opened, -amount)] },
  );
  tx.put({ ...charge, disputed: true });
  tx.emit('charge.dispute.created', opened);
  if (!isInquiry) tx.emit('charge.dispute.funds_withdrawn', dispute);
  endWarnings(tx, charge.id);
  return dispute;
}

export function answerDispute(tx: Transaction, id: string): Dispute {
  const open = findOpen(tx, id);
  const answered = tx.put<Dispute>({
    ...open,
    evidence_details: {
      ...open.evidence_details,
      has_evidence: true,
      submission_count: open.evidence_details.submission_count + 1,
      submission_method: 'manual',
    },
    status: isInquiry(open) ? 'warning_under_review' : 'under_review',
  });
  tx.emit('charge.dispute.updated', answered);
  return answered;
}

/** Closes a dispute with the bank's decision. `won` returns the money; `lost` does not. An inquiry can only be won. */
export function closeDispute(tx: Transaction, id: string, outcome: unknown): Dispute {
  const open = findOpen(tx, id);
  if (outcome !== 'won' && outcome !== 'lost')
    throw invalidRequest('A dispute is won or lost.', { param: 'outcome' });
  if (isInquiry(open)) {
    if (outcome === 'lost') throw invalidRequest('An inquiry has taken no money to be lost.');
    return closed(tx, { ...open, status: 'warning_closed' });
  }
  if (outcome === 'lost') return closed(tx, { ...open, status: 'lost' });
  const balance_transactions = [...open.balance_transactions, moved(open, open.amount)];
  const won = tx.put<Dispute>({ ...open, status: 'won', balance_transactions });
  tx.emit('charge.dispute.funds_reinstated', won);
  return closed(tx, won);
}

/** `POST /v1/disputes/:id/close`: the merchant accepts the dispute and loses it. */
export function acceptDispute(tx: Transaction, id: string): Dispute {
  return closed(tx, { ...findOpen(tx, id), status: 'lost' });
}

function closed(tx: Transaction, dispute: Dispute): Dispute {
  tx.emit('charge.dispute.closed', tx.put(dispute));
  return dispute;
}

function isInquiry({ status }: Dispute): boolean {
  return status.startsWith('warning_');
}

function findOpen(tx: Transaction, id: string): Dispute {
  const dispute = tx.dispute(id);
  if (['won', 'lost', 'warning_closed'].includes(dispute.status))
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
