import {
  type Account,
  API_VERSION,
  type BalanceTransaction,
  type Charge,
  type Customer,
  type Dispute,
  type EarlyFraudWarning,
  newId,
  nowInSeconds,
  type PaymentIntent,
  type PaymentMethod,
  type Payout,
  type Refund,
  type StripeEvent,
  type StripeObject,
  type Transfer,
  type TransferReversal,
} from './objects.ts';
import type { Store } from './store.ts';
import { accountInvalid, missing } from './stripe-error.ts';

/** Other requests see a transaction's changes only after the commit. */
export class Transaction {
  readonly changes = new Map<string, StripeObject>();
  readonly #store: Store;
  readonly #request: StripeEvent['request'];

  constructor(store: Store, request: StripeEvent['request']) {
    this.#store = store;
    this.#request = request;
  }

  intent(id: string, param = 'intent'): PaymentIntent {
    const found =
      (this.changes.get(id) as PaymentIntent | undefined) ?? this.#store.intents.get(id);
    if (!found) throw missing('payment_intent', id, param);
    return structuredClone(found);
  }

  customer(id: string): Customer {
    const found = (this.changes.get(id) as Customer | undefined) ?? this.#store.customers.get(id);
    if (!found || found.sandbox_deleted) throw missing('customer', id, 'customer');
    return structuredClone(found);
  }

  charge(id: string): Charge {
    const found = (this.changes.get(id) as Charge | undefined) ?? this.#store.charges.get(id);
    if (!found) throw missing('charge', id, 'id');
    return structuredClone(found);
  }

  refund(id: string): Refund {
    const found = this.#store.refunds.get(id);
    if (!found) throw missing('refund', id, 'id');
    return found;
  }

  /** @param account the connected account whose balance moved; the platform if missing */
  balanceTransaction(id: string, account?: string): BalanceTransaction {
    const found =
      (this.changes.get(id) as BalanceTransaction | undefined) ??
      this.#store.balanceTransactions.get(id);
    if (!found || found.sandbox_account !== account) throw missing('balance transaction', id, 'id');
    return found;
  }

  transfer(id: string): Transfer {
    const found = (this.changes.get(id) as Transfer | undefined) ?? this.#store.transfers.get(id);
    if (!found) throw missing('transfer', id, 'id');
    return structuredClone(found);
  }

  reversal(id: string): TransferReversal {
    const found = this.#store.reversals.get(id);
    if (!found) throw missing('transfer_reversal', id, 'id');
    return found;
  }

  payout(id: string, account: string | undefined): Payout {
    const found = this.#store.payouts.get(id);
    if (!found || found.sandbox_account !== account) throw missing('payout', id, 'payout');
    return found;
  }

  dispute(id: string): Dispute {
    const found = this.#store.disputes.get(id);
    if (!found) throw missing('dispute', id, 'id');
    return found;
  }

  account(id: string): Account {
    const found = (this.changes.get(id) as Account | undefined) ?? this.#store.accounts.get(id);
    if (!found) throw accountInvalid(id);
    return structuredClone(found);
  }

  warning(id: string): EarlyFraudWarning {
    const found = this.#store.warnings.get(id);
    if (!found) throw missing('early_fraud_warning', id, 'early_fraud_warning');
    return found;
  }

  findMethod(id: string): PaymentMethod | undefined {
    return (this.changes.get(id) as PaymentMethod | undefined) ?? this.#store.methods.get(id);
  }

  put<T extends StripeObject>(object: T): T {
    this.changes.set(object.id, object);
    return object;
  }

  /** @param account the connected account that the event is about */
  emit(type: string, object: object, account?: string): void {
    this.put({
      id: newId('evt'),
      object: 'event',
      ...(account && { account }),
      api_version: API_VERSION,
      created: nowInSeconds(),
      data: { object: structuredClone(object) },
      livemode: false,
      pending_webhooks: 1,
      request: this.#request,
      type,
    });
  }

  get all(): Store {
    return this.#store;
  }
}
