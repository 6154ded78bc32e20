import type { Clock } from './clock.ts';
import type { Refund, StripeEvent } from './objects.ts';
import { failRefund, isWaiting, planOf, retryRefund } from './refunds.ts';
import type { Store } from './store.ts';
import type { Transaction } from './transaction.ts';

/**
 * Changes a refund's status some time after its creation, as banks do, and retries refunds that wait for the balance. Pending changes
 * survive a restart.
 */
export function startRefundClock(
  store: Store,
  clock: Clock,
  delayMs: number,
): (event: StripeEvent) => void {
  const wait = (id: string) =>
    clock.later(delayMs, (tx) => {
      const refund = store.refunds.get(id);
      if (!refund) return;
      if (isWaiting(refund)) {
        retryRefund(tx, refund);
        wait(id);
      } else applyPlan(tx, refund);
    });
  for (const id of store.refunds.keys()) wait(id);

  return ({ data, type }) => {
    if (type === 'refund.created') wait((data.object as { id: string }).id);
  };
}

function applyPlan(tx: Transaction, refund: Refund): void {
  const status = planOf(tx.all, refund.charge, refund.id)?.[1];
  if (!status || refund.status === status || refund.status === 'failed') return;
  if (status === 'failed') failRefund(tx, refund, 'expired_or_canceled_card');
  else tx.emit('refund.updated', tx.put({ ...refund, status }));
}
