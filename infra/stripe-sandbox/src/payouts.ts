import {
  availableBalance,
  isAvailable,
  movementsOf,
  recordPayout,
  recordPayoutFailure,
} from './balance-transactions.ts';
import { type Account, type BankAccount, newId, nowInSeconds, type Payout } from './objects.ts';
import type { Transaction } from './transaction.ts';

/** The number of Stripe's test bank account to which payouts succeed. */
export const GOOD_BANK = '000123456789';

/** Stripe's test bank accounts to which payouts fail, by the last four digits, and the reasons. */
const FAILURES: Record<string, [code: string, message: string]> = {
  '1113': ['account_closed', 'The bank account has been closed.'],
  '1116': [
    'no_account',
    'The bank account details on file are probably incorrect. No bank account could be located with those details.',
  ],
};

/** Pays out the available balance, unless payouts are disabled or the bank has rejected one before. */
export function payOut(tx: Transaction, account: Account): void {
  const [bank] = account.external_accounts.data;
  const currency = account.default_currency;
  const amount = availableBalance(tx.all, currency, account.id);
  if (!account.payouts_enabled || bank?.status !== 'new' || amount <= 0) return;
  const created = nowInSeconds();
  const payout: Omit<Payout, 'balance_transaction'> = {
    id: newId('po'),
    object: 'payout',
    amount,
    application_fee: null,
    application_fee_amount: null,
    arrival_date: created,
    automatic: true,
    created,
    currency,
    description: 'STRIPE PAYOUT',
    destination: bank.id,
    failure_balance_transaction: null,
    failure_code: null,
    failure_message: null,
    livemode: false,
    metadata: {},
    method: 'standard',
    original_payout: null,
    payout_method: null,
    reconciliation_status: 'completed',
    reversed_by: null,
    source_type: 'card',
    statement_descriptor: null,
    status: 'pending',
    trace_id: null,
    type: 'bank_account',
    sandbox_account: account.id,
  };
  const unpaid = movementsOf(tx.all, account.id).filter((one) => !one.sandbox_payout);
  for (const one of unpaid.filter(isAvailable)) tx.put({ ...one, sandbox_payout: payout.id });
  const movement = recordPayout(tx, payout);
  emit(tx, 'payout.created', { ...payout, balance_transaction: movement.id });
}

/** Ends a pending payout. A bank that rejects it gets no more until the account is onboarded again. */
export function settlePayout(tx: Transaction, payout: Payout): void {
  const account = tx.account(payout.sandbox_account);
  const bank = account.external_accounts.data.find(({ id }) => id === payout.destination);
  const failure = bank && FAILURES[bank.last4];
  if (!failure) {
    emit(tx, 'payout.paid', { ...payout, status: 'paid' });
    return;
  }
  const [failure_code, failure_message] = failure;
  const failure_balance_transaction = recordPayoutFailure(tx, payout).id;
  emit(tx, 'payout.failed', {
    ...payout,
    failure_balance_transaction,
    failure_code,
    failure_message,
    status: 'failed',
  });
  const data = account.external_accounts.data.map((one) =>
    one.id === bank.id ? ({ ...one, status: 'errored' } satisfies BankAccount) : one,
  );
  const errored = { ...account, external_accounts: { ...account.external_accounts, data } };
  tx.emit('account.updated', tx.put(errored), account.id);
}

export function showPayout({ sandbox_account: _account, ...payout }: Payout) {
  return payout;
}

function emit(tx: Transaction, type: string, payout: Payout): void {
  tx.emit(type, showPayout(tx.put(payout)), payout.sandbox_account);
}
