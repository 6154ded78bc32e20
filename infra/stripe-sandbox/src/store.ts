import { type Delivery, type KeptReply, type LedgerLine, openLedger } from './ledger.ts';
import type {
  Charge,
  Dispute,
  EarlyFraudWarning,
  PaymentIntent,
  PaymentMethod,
  Refund,
  StripeEvent,
  StripeObject,
} from './objects.ts';

/** The sandbox's state, which is the sum of the ledger's lines. */
export interface Store {
  intents: Map<string, PaymentIntent>;
  methods: Map<string, PaymentMethod>;
  charges: Map<string, Charge>;
  refunds: Map<string, Refund>;
  disputes: Map<string, Dispute>;
  warnings: Map<string, EarlyFraudWarning>;
  events: Map<string, StripeEvent>;
  replies: Map<string, KeptReply>;
  deliveries: Delivery[];
  commit(change: { put?: StripeObject[]; reply?: KeptReply; delivery?: Delivery }): Promise<void>;
  close(): Promise<void>;
}

export function openStore(folder: string): Store {
  const ledger = openLedger(folder);
  const store: Store = {
    intents: new Map(),
    methods: new Map(),
    charges: new Map(),
    refunds: new Map(),
    disputes: new Map(),
    warnings: new Map(),
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
    else if (object.object === 'charge') store.charges.set(object.id, object);
    else if (object.object === 'refund') store.refunds.set(object.id, object);
    else if (object.object === 'dispute') store.disputes.set(object.id, object);
    else if (object.object === 'radar.early_fraud_warning') store.warnings.set(object.id, object);
    else store.events.set(object.id, object);
  }
  if (line.reply) store.replies.set(line.reply.key, line.reply);
  if (line.delivery) store.deliveries.push(line.delivery);
}
