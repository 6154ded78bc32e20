import {
  type BalanceTransaction,
  type Charge,
  type Dispute,
  newId,
  nowInSeconds,
  type Payout,
  type Refund,
  type Transfer,
  type TransferReversal,
} from './objects.ts';
import type { Params } from './payment-methods.ts';
import type { Store } from './store.ts';
import type { Transaction } from './transaction.ts';

const DISPUTE_FEE_CENTS = 1500;

/** The standard price of a card payment in the United States: 2.9 % + 30 cents. */
function chargeFee(amount: number): number {
  return Math.round((amount * 29) / 1000) + 30;
}

/** Records a captured charge, unless its card delays that: then `startChargeClock` does it later. */
export function recordCapture(tx: Transaction, charge: Charge): Charge {
  const method = tx.findMethod(charge.payment_method);
  return method?.sandbox_delays_balance_transaction ? charge : recordCharge(tx, charge);
}

/** Adds a captured charge to the balance, and returns the charge with its balance transaction. */
export function recordCharge(tx: Transaction, charge: Charge): Charge {
  const amount = charge.amount_captured;
  const bypassesPending = tx.findMethod(charge.payment_method)?.sandbox_bypasses_pending;
  const { id } = record(tx, charge, {
    type: 'charge',
    reporting_category: 'charge',
    amount,
    description: charge.description,
    fee: { amount: chargeFee(amount), description: 'Stripe processing fees' },
    availableOn: nowInSeconds() + (bypassesPending ? 0 : tx.all.settings.fundsDelaySeconds),
  });
  return { ...charge, balance_transaction: id };
}

/** Takes a refund from the balance. Stripe keeps the fee of the charge. */
export function recordRefund(tx: Transaction, refund: Refund): Refund {
  const { description } = tx.charge(refund.charge);
  const { id } = record(tx, refund, {
    type: 'refund',
    reporting_category: 'refund',
    amount: -refund.amount,
    description: `REFUND FOR CHARGE${description ? ` (${description})` : ''}`,
  });
  return { ...refund, balance_transaction: id };
}

/** Returns the money of a failed refund to the balance, unless an old ledger never took it. */
export function recordRefundFailure(tx: Transaction, refund: Refund): Refund {
  if (!refund.balance_transaction) return refund;
  const { id } = record(tx, refund, {
    type: 'refund_failure',
    reporting_category: 'refund_failure',
    amount: refund.amount,
    description: null,
  });
  return { ...refund, failure_balance_transaction: id };
}

export function recordDispute(tx: Transaction, dispute: Dispute): BalanceTransaction {
  return record(tx, dispute, {
    type: 'adjustment',
    reporting_category: 'dispute',
    amount: -dispute.amount,
    description: `Chargeback withdrawal for ${dispute.charge}`,
    fee: { amount: DISPUTE_FEE_CENTS, description: 'Dispute fee' },
  });
}

/** Returns the amount of a won dispute, or part of a lost one. As in the United States, the dispute fee is kept. */
export function recordDisputeReversal(
  tx: Transaction,
  dispute: Dispute,
  amount: number,
): BalanceTransaction {
  return record(tx, dispute, {
    type: 'adjustment',
    reporting_category: 'dispute_reversal',
    amount,
    description: `Chargeback reversal for ${dispute.charge}`,
  });
}

/** Moves a transfer's money from the platform to the connected account, available once its source is. */
export function recordTransfer(
  tx: Transaction,
  transfer: Omit<Transfer, 'balance_transaction'>,
  availableOn: number,
): BalanceTransaction {
  const { amount, currency, description, destination } = transfer;
  record(
    tx,
    { id: transfer.destination_payment, currency },
    {
      type: 'payment',
      reporting_category: 'charge',
      amount,
      availableOn,
      description: null,
      account: destination,
    },
  );
  return record(tx, transfer, {
    type: 'transfer',
    reporting_category: 'transfer',
    amount: -amount,
    availableOn,
    description,
  });
}

export function recordReversal(
  tx: Transaction,
  reversal: Omit<TransferReversal, 'balance_transaction'>,
  transfer: Transfer,
): BalanceTransaction {
  const { amount, currency } = reversal;
  const availableOn = tx.balanceTransaction(transfer.balance_transaction).available_on;
  record(
    tx,
    { id: reversal.destination_payment_refund, currency },
    {
      type: 'payment_refund',
      reporting_category: 'refund',
      amount: -amount,
      availableOn,
      description: 'REFUND FOR PAYMENT',
      account: transfer.destination,
    },
  );
  return record(tx, reversal, {
    type: 'transfer_refund',
    reporting_category: 'transfer_reversal',
    amount,
    availableOn,
    description: null,
  });
}

export function recordPayout(
  tx: Transaction,
  payout: Omit<Payout, 'balance_transaction'>,
): BalanceTransaction {
  const movement = record(tx, payout, {
    type: 'payout',
    reporting_category: 'payout',
    amount: -payout.amount,
    description: payout.description,
    account: payout.sandbox_account,
  });
  return tx.put({ ...movement, sandbox_payout: payout.id });
}

export function recordPayoutFailure(tx: Transaction, payout: Payout): BalanceTransaction {
  return record(tx, payout, {
    type: 'payout_failure',
    reporting_category: 'payout_reversal',
    amount: payout.amount,
    description: `REFUND FOR PAYOUT (${payout.description})`,
    account: payout.sandbox_account,
  });
}

interface Movement
  extends Pick<BalanceTransaction, 'amount' | 'description' | 'reporting_category' | 'type'> {
  fee?: { amount: number; description: string };
  /** By default, and if it has passed, the money is available at once. */
  availableOn?: number;
  /** The connected account whose balance moves. By default the platform's does. */
  account?: string;
}

function record(
  tx: Transaction,
  source: { id: string; currency: string },
  { account, availableOn = 0, fee, ...movement }: Movement,
): BalanceTransaction {
  const created = nowInSeconds();
  const { currency } = source;
  return tx.put<BalanceTransaction>({
    id: newId('txn'),
    object: 'balance_transaction',
    ...movement,
    available_on: Math.max(created, availableOn),
    balance_type: 'payments',
    created,
    currency,
    exchange_rate: null,
    fee: fee?.amount ?? 0,
    fee_details: fee ? [{ ...fee, application: null, currency, type: 'stripe_fee' }] : [],
    net: movement.amount - (fee?.amount ?? 0),
    source: source.id,
    status: availableOn > created ? 'pending' : 'available',
    ...(account && { sandbox_account: account }),
  });
}

export function showBalanceTransaction({
  sandbox_account: _account,
  sandbox_payout: _payout,
  ...one
}: BalanceTransaction): BalanceTransaction {
  return { ...one, status: isAvailable(one) ? 'available' : 'pending' };
}

export function matchesBalanceTransaction(one: BalanceTransaction, params: Params): boolean {
  const filters = ['currency', 'source', 'type'] as const;
  return filters.every((name) => params[name] === undefined || params[name] === one[name]);
}

/** Keeps only the movements of one payout if the request has the parameter `payout`. */
export function paidOutBy(movements: BalanceTransaction[], { payout }: Params) {
  return payout === undefined
    ? movements
    : movements.filter((one) => one.sandbox_payout === payout);
}

/** Sums the balance by currency. Movements that an old ledger did not record are missing from it. */
export function showBalance(store: Store, account?: string): object {
  const movements = movementsOf(store, account);
  const currencies = new Set(['usd', ...movements.map(({ currency }) => currency)]);
  const sum = (available: boolean) =>
    [...currencies].map((currency) => {
      const amount = sumOf(movements, currency, (one) => isAvailable(one) === available);
      return { amount, currency, source_types: { card: amount } };
    });
  return { object: 'balance', available: sum(true), livemode: false, pending: sum(false) };
}

/** The balance that transfers of the platform, or payouts of a connected account, can draw on. */
export function availableBalance(store: Store, currency: string, account?: string): number {
  return sumOf(movementsOf(store, account), currency, isAvailable);
}

/** A connected account's balance, available and pending. */
export function totalBalance(store: Store, currency: string, account: string): number {
  return sumOf(movementsOf(store, account), currency, () => true);
}

export function movementsOf(store: Store, account?: string): BalanceTransaction[] {
  return [...store.balanceTransactions.values()].filter((one) => one.sandbox_account === account);
}

function sumOf(
  movements: BalanceTransaction[],
  currency: string,
  matches: (one: BalanceTransaction) => boolean,
): number {
  return movements
    .filter((one) => one.currency === currency && matches(one))
    .reduce((total, { net }) => total + net, 0);
}

export function isAvailable({ available_on }: Pick<BalanceTransaction, 'available_on'>): boolean {
  return available_on <= nowInSeconds();
}
