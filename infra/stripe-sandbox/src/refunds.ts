import { availableBalance, recordRefund, recordRefundFailure } from './balance-transactions.ts';
import { endWarnings } from './end-warnings.ts';
import { type Charge, type Metadata, newId, nowInSeconds, type Refund } from './objects.ts';
import { asParams, asText, type Params } from './payment-methods.ts';
import type { Store } from './store.ts';
import { invalidRequest, requiredParam } from './stripe-error.ts';
import type { RefundPlan } from './test-cards.ts';
import type { Transaction } from './transaction.ts';

export function createRefund(tx: Transaction, params: Params): Refund {
  const charge = findCharge(tx, params);
  if (isWithBank(tx.all, charge)) {
    throw invalidRequest(`Charge ${charge.id} has been charged back; cannot issue a refund.`, {
      code: 'charge_disputed',
      charge: charge.id,
    });
  }
  const left = charge.amount_captured - charge.amount_refunded;
  if (left === 0) {
    throw invalidRequest(`Charge ${charge.id} has already been refunded.`, {
      code: 'charge_already_refunded',
      charge: charge.id,
    });
  }
  const amount = params.amount === undefined ? left : Number(params.amount);
  if (!Number.isInteger(amount) || amount < 1) {
    throw invalidRequest(`Invalid positive integer: ${String(params.amount)}`, {
      code: 'parameter_invalid_integer',
      param: 'amount',
    });
  }
  if (amount > left) {
    throw invalidRequest(
      `Refund amount (${dollars(amount)}) is greater than unrefunded amount on charge (${dollars(left)})`,
      { param: 'amount' },
    );
  }
  const ordered: Refund = {
    id: newId('re'),
    object: 'refund',
    amount,
    balance_transaction: null,
    charge: charge.id,
    created: nowInSeconds(),
    currency: charge.currency,
    destination_details: { card: { type: 'refund' }, type: 'card' },
    metadata: asParams(params.metadata) as Metadata,
    payment_intent: charge.payment_intent,
    reason: asText(params.reason),
    receipt_number: null,
    status: planOf(tx.all, charge.id)?.[0] ?? 'succeeded',
  };
  const refund: Refund =
    tx.all.settings.refundsWait && !isCovered(tx.all, ordered)
      ? { ...ordered, pending_reason: 'insufficient_funds', status: 'pending' }
      : recordRefund(tx, ordered);
  const refunded: Charge = {
    ...charge,
    amount_refunded: charge.amount_refunded + amount,
    refunded: amount === left,
  };
  tx.put(refund);
  tx.put(refunded);
  tx.emit('refund.created', refund);
  tx.emit('charge.refunded', refunded);
  if (refunded.refunded) endWarnings(tx, charge.id);
  return refund;
}

/** Makes a refund that waits for the balance, if the balance is enough by now. */
export function retryRefund(tx: Transaction, { pending_reason: _reason, ...refund }: Refund): void {
  if (!isCovered(tx.all, refund)) return;
  const status = planOf(tx.all, refund.charge, refund.id)?.[0] ?? 'succeeded';
  tx.emit('refund.updated', tx.put(recordRefund(tx, { ...refund, status })));
}

export function failRefund(
  tx: Transaction,
  { pending_reason: _reason, ...refund }: Refund,
  failure_reason: string,
): void {
  const failed = tx.put(recordRefundFailure(tx, { ...refund, failure_reason, status: 'failed' }));
  const charge = tx.charge(refund.charge);
  const amount_refunded = charge.amount_refunded - refund.amount;
  tx.put({ ...charge, amount_refunded, refunded: false });
  tx.emit('refund.failed', failed);
  tx.emit('refund.updated', failed);
}

/** Fails the refunds of a charge that wait for the balance, because a bank withdraws the charge. */
export function failWaitingRefunds(tx: Transaction, chargeId: string): void {
  for (const refund of tx.all.refunds.values()) {
    if (refund.charge === chargeId && isWaiting(refund))
      failRefund(tx, refund, 'charge_for_pending_refund_disputed');
  }
}

export function isWaiting({ pending_reason }: Refund): boolean {
  return pending_reason === 'insufficient_funds';
}

function isCovered(store: Store, { amount, currency }: Refund): boolean {
  return amount <= availableBalance(store, currency);
}

/**
 * How a refund's status will change; undefined for most cards. With a card whose refunds fail, only the first refund
 * fails, so that a retry succeeds.
 */
export function planOf(store: Store, chargeId: string, refundId?: string): RefundPlan | undefined {
  const charge = store.charges.get(chargeId);
  const plan = charge && store.methods.get(charge.payment_method)?.sandbox_refund;
  const first = [...store.refunds.values()].find((one) => one.charge === chargeId);
  return plan?.[1] === 'failed' && first && first.id !== refundId ? undefined : plan;
}

/** True while a bank has the charge's money: while a dispute is open, and after it is lost. An inquiry takes no money. */
function isWithBank(store: Store, charge: Charge): boolean {
  const taken = ['needs_response', 'under_review', 'lost'];
  const disputes = [...store.disputes.values()];
  return disputes.some((one) => one.charge === charge.id && taken.includes(one.status));
}

export function findCharge(tx: Transaction, params: Params): Charge {
  const chargeId = asText(params.charge);
  if (chargeId) return tx.charge(chargeId);
  const intentId = asText(params.payment_intent);
  if (!intentId) throw requiredParam('charge');
  const intent = tx.intent(intentId, 'payment_intent');
  if (intent.status !== 'succeeded' || !intent.latest_charge) {
    throw invalidRequest(
      `This PaymentIntent (${intent.id}) does not have a successful charge to refund.`,
      {
        param: 'payment_intent',
      },
    );
  }
  return tx.charge(intent.latest_charge);
}

export function dollars(cents: number): string {
  return `$${(cents / 100).toFixed(2)}`;
}
