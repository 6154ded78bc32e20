import {
  API_VERSION,
  type Charge,
  type Dispute,
  type EarlyFraudWarning,
  newId,
  nowInSeconds,
  type PaymentIntent,
  type PaymentMethod,
  type Refund,
  type StripeEvent,
  type StripeObject,
} from './objects.ts';
import type { Store } from './store.ts';
import { missing } from './stripe-error.ts';

/** One request's reads and pending changes, which other requests see only after the commit. */
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

  dispute(id: string): Dispute {
    const found = this.#store.disputes.get(id);
    if (!found) throw missing('dispute', id, 'id');
    return found;
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

  emit(type: string, object: object): void {
    this.put({
      id: newId('evt'),
      object: 'event',
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
