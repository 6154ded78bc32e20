import { showBalanceTransaction } from './balance-transactions.ts';
import { showCustomer } from './customers.ts';
import { findMethod, type Params, showMethod } from './payment-methods.ts';
import { showPayout } from './payouts.ts';
import type { Transaction } from './transaction.ts';

/** @param account the connected account of the header `Stripe-Account` */
type Find = (tx: Transaction, id: string, account?: string) => object | undefined;

const balanceTransaction: Find = (tx, id, account) =>
  showBalanceTransaction(tx.balanceTransaction(id, account));
const charge: Find = (tx, id) => tx.charge(id);

/** The fields whose ids can be expanded. */
const FIELDS: Record<string, Find> = {
  balance_transaction: balanceTransaction,
  charge,
  customer: (tx, id) => showCustomer(tx, id),
  destination: (tx, id) => (id.startsWith('acct_') ? tx.account(id) : undefined),
  failure_balance_transaction: balanceTransaction,
  latest_charge: charge,
  payment_intent: (tx, id) => tx.intent(id),
  payment_method: (tx, id) => showMethod(findMethod(tx, id)),
  source: (tx, id, account) => sourceOf(tx, id, account),
  source_transaction: charge,
  transfer: (tx, id) => tx.transfer(id),
};

/** Replaces ids by their objects, such as for `expand[]=latest_charge.balance_transaction`. */
export function expand(tx: Transaction, object: object, params: Params, account?: string): object {
  const names = Array.isArray(params.expand) ? params.expand : Object.values(params.expand ?? {});
  const find = (field: string, id: string) => FIELDS[field]?.(tx, id, account);
  return names.reduce((shown, name) => expandPath(find, shown, String(name).split('.')), object);
}

function expandPath(
  find: (field: string, id: string) => object | undefined,
  value: unknown,
  [name, ...rest]: string[],
): unknown {
  if (name === undefined || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => expandPath(find, one, [name, ...rest]));
  const field = (value as Record<string, unknown>)[name];
  const found = typeof field === 'string' ? find(name, field) : field;
  return found === undefined ? value : { ...value, [name]: expandPath(find, found, rest) };
}

/** Finds the object that moved the balance, by the prefix of its id. The sandbox stores no payments of connected accounts. */
function sourceOf(tx: Transaction, id: string, account?: string): object | undefined {
  if (id.startsWith('re_')) return tx.refund(id);
  if (id.startsWith('du_')) return tx.dispute(id);
  if (id.startsWith('tr_')) return tx.transfer(id);
  if (id.startsWith('trr_')) return tx.reversal(id);
  if (id.startsWith('po_')) return showPayout(tx.payout(id, account));
  if (id.startsWith('ch_')) return tx.charge(id);
  return undefined;
}
