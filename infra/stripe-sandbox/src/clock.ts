import type { StripeEvent } from './objects.ts';
import type { Store } from './store.ts';
import { Transaction } from './transaction.ts';

export interface Clock {
  /** Makes a change some time later, in a transaction of its own. */
  later(delayMs: number, change: (tx: Transaction) => void): void;
  stop(): void;
}

/** Changes objects by themselves, as time and banks do at Stripe. */
export function startClock(store: Store, onEvent: (event: StripeEvent) => void): Clock {
  const timers = createTimers();
  const commit = async (change: (tx: Transaction) => void): Promise<void> => {
    const tx = new Transaction(store, { id: null, idempotency_key: null });
    change(tx);
    const put = [...tx.changes.values()];
    if (put.length) await store.commit({ put });
    for (const one of put) if (one.object === 'event') onEvent(one);
  };
  return {
    later: (delayMs, change) => timers.later(delayMs, () => commit(change)),
    stop: timers.stop,
  };
}

export function createTimers() {
  const timers = new Set<NodeJS.Timeout>();
  return {
    later(delayMs: number, work: () => Promise<void>): void {
      const timer = setTimeout(() => {
        timers.delete(timer);
        void work();
      }, delayMs);
      timers.add(timer);
    },
    stop(): void {
      for (const timer of timers) clearTimeout(timer);
    },
  };
}
