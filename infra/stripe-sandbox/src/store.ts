import { type Delivery, type KeptReply, type LedgerLine, openLedger } from './ledger.ts';
import type {
  Account,
  AccountLink,
  BalanceTransaction,
  Charge,
  Customer,
  Dispute,
  EarlyFraudWarning,
  PaymentIntent,
  PaymentMethod,
  Payout,
  Refund,
  StripeEvent,
  StripeObject,
  Transfer,
  TransferReversal,
} from './objects.ts';

export interface StoreSettings {
  /** How long the money of a charge stays pending. */
  fundsDelaySeconds: number;
  /** Refunds stay pending while the available balance is too low. Otherwise they may make it negative. */
  refundsWait: boolean;
}

export interface Store {
  settings: StoreSettings;
  intents: Map<string, PaymentIntent>;
  methods: Map<string, PaymentMethod>;
  customers: Map<string, Customer>;
  charges: Map<string, Charge>;
  refunds: Map<string, Refund>;
  balanceTransactions: Map<string, BalanceTransaction>;
  disputes: Map<string, Dispute>;
  warnings: Map<string, EarlyFraudWarning>;
  accounts: Map<string, Account>;
  transfers: Map<string, Transfer>;
  reversals: Map<string, TransferReversal>;
  payouts: Map<string, Payout>;
  accountLinks: Map<string, AccountLink>;
  events: Map<string, StripeEvent>;
  replies: Map<string, KeptReply>;
  deliveries: Delivery[];
  commit(change: { put?: StripeObject[]; reply?: KeptReply; delivery?: Delivery }): Promise<void>;
  close(): Promise<void>;
}

export function openStore(folder: string, settings: StoreSettings): Store {
  const ledger = openLedger(folder);
  const store: Store = {
    settings,
    intents: new Map(),
    methods: new Map(),
    customers: new Map(),
    charges: new Map(),
    refunds: new Map(),
    balanceTransactions: new Map(),
    disputes: new Map(),
    warnings: new Map(),
    accounts: new Map(),
    transfers: new Map(),
    reversals: new Map(),
    payouts: new Map(),
    accountLinks: new Map(),
    events: new Map(),
    replies: new Map(),
    deliveries: [],
    commit(change) {
      const line = { at: new Date().toISOString(), ...change };
      const durable = ledger.append(line);
      apply(store, line);
      return durable;
    },
    close: () => ledger.close(),
  };
  for (const line of ledger.lines) apply(store, line);
  return store;
}

function apply(store: Store, line: LedgerLine): void {
  for (const object of line.put ?? []) {
    if (object.object === 'payment_intent') store.intents.set(object.id, object);
    else if (object.object === 'payment_method') store.methods.set(object.id, object);
    else if (object.object === 'customer') store.customers.set(object.id, object);
    else if (object.object === 'charge') store.charges.set(object.id, object);
    else if (object.object === 'refund') store.refunds.set(object.id, object);
    else if (object.object === 'balance_transaction')
      store.balanceTransactions.set(object.id, object);
    else if (object.object === 'dispute') store.disputes.set(object.id, object);
    else if (object.object === 'radar.early_fraud_warning') store.warnings.set(object.id, object);
    else if (object.object === 'transfer') store.transfers.set(object.id, object);
    else if (object.object === 'transfer_reversal') store.reversals.set(object.id, object);
    else if (object.object === 'payout') store.payouts.set(object.id, object);
    else if (object.object === 'account') store.accounts.set(object.id, object);
    else if (object.object === 'event') store.events.set(object.id, object);
    else store.accountLinks.set(object.id, object);
  }
  if (line.reply) store.replies.set(line.reply.key, line.reply);
  if (line.delivery) store.deliveries.push(line.delivery);
}
