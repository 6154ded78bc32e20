import type { StripeEvent } from './objects.ts';
import { planOf } from './refunds.ts';
import type { Store } from './store.ts';
import { Transaction } from './transaction.ts';

interface RefundClock {
  onEvent(event: StripeEvent): void;
  stop(): void;
}

/** Changes the status of refunds some time after their creation, as banks do. Restarts their timers after a restart. */
export function startRefundClock(
  store: Store,
  options: { delayMs: number; onEvent(event: StripeEvent): void },
): RefundClock {
  const timers = new Set<NodeJS.Timeout>();

  const settle = async (id: string): Promise<void> => {
    const refund = store.refunds.get(id);
    const status = refund && planOf(store, refund.charge, id)?.[1];
    if (!refund || !status || refund.status === status) return;
    const tx = new Transaction(store, { id: null, idempotency_key: null });
    const failed = status === 'failed';
    const reason = failed && { failure_reason: 'expired_or_canceled_card' };
    const settled = tx.put({ ...refund, status, ...reason });
    if (failed) {
      const charge = tx.charge(refund.charge);
      const amount_refunded = charge.amount_refunded - refund.amount;
      tx.put({ ...charge, amount_refunded, refunded: false });
      tx.emit('refund.failed', settled);
    }
    tx.emit('refund.updated', settled);
    const put = [...tx.changes.values()];
    await store.commit({ put });
    for (const change of put) if (change.object === 'event') options.onEvent(change);
  };

  const wait = (id: string) => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      void settle(id);
    }, options.delayMs);
    timers.add(timer);
  };
  for (const id of store.refunds.keys()) wait(id);

  return {
    onEvent(event) {
      if (event.type === 'refund.created') wait((event.data.object as { id: string }).id);
    },
    stop() {
      for (const timer of timers) clearTimeout(timer);
    },
  };
}
