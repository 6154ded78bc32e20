import { recordDispute, recordDisputeReversal } from './balance-transactions.ts';
import { endWarnings } from './end-warnings.ts';
import { type Dispute, newId, nowInSeconds } from './objects.ts';
import { asText, type Params } from './payment-methods.ts';
import { dollars, failWaitingRefunds, findCharge } from './refunds.ts';
import { invalidRequest } from './stripe-error.ts';
import type { Transaction } from './transaction.ts';

const weekInSeconds = 7 * 86_400;

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
  if (!isInquiry) failWaitingRefunds(tx, charge.id);
  const dispute = tx.put(
    isInquiry ? opened : { ...opened, balance_transactions: [recordDispute(tx, opened)] },
  );
  tx.put({ ...tx.charge(charge.id), disputed: true });
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

/**
 * Closes a dispute. If it is `won`, the merchant gets the money back; if it is `lost`, only the cents `reinstated`, which
 * Stripe's dashboard calls partially won. A lost dispute can still be won. An inquiry can only be won.
 */
export function closeDispute(tx: Transaction, id: string, params: Params): Dispute {
  const { outcome } = params;
  const isLateWin = outcome === 'won' && tx.dispute(id).status === 'lost';
  const open = isLateWin ? tx.dispute(id) : findOpen(tx, id);
  if (outcome !== 'won' && outcome !== 'lost')
    throw invalidRequest('A dispute is won or lost.', { param: 'outcome' });
  const reinstated = outcome === 'won' ? withdrawn(open) : checkReinstated(open, params);
  if (isInquiry(open)) {
    if (outcome === 'lost') throw invalidRequest('An inquiry has taken no money to be lost.');
    return closed(tx, { ...open, status: 'warning_closed' });
  }
  const decided: Dispute = { ...open, status: outcome };
  return closed(tx, reinstated > 0 ? reinstate(tx, decided, reinstated) : decided);
}

function checkReinstated({ amount }: Dispute, { reinstated }: Params): number {
  if (reinstated === undefined) return 0;
  const cents = Number(reinstated);
  if (Number.isInteger(cents) && cents > 0 && cents < amount) return cents;
  throw invalidRequest(
    `A lost dispute of ${dollars(amount)} reinstates 1 to ${amount - 1} cents.`,
    {
      param: 'reinstated',
    },
  );
}

/** What the bank has and would return with a win: the amount, less what a loss in part reinstated. */
function withdrawn({ amount, balance_transactions }: Dispute): number {
  return balance_transactions
    .filter((one) => one.reporting_category === 'dispute_reversal')
    .reduce((rest, one) => rest - one.amount, amount);
}

function reinstate(tx: Transaction, dispute: Dispute, amount: number): Dispute {
  const reversal = recordDisputeReversal(tx, dispute, amount);
  const balance_transactions = [...dispute.balance_transactions, reversal];
  const reinstated = tx.put<Dispute>({ ...dispute, balance_transactions });
  tx.emit('charge.dispute.funds_reinstated', reinstated);
  return reinstated;
}

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
