import { movementsOf } from './balance-transactions.ts';
import type { Clock } from './clock.ts';
import type { StripeEvent } from './objects.ts';
import { payOut, settlePayout } from './payouts.ts';
import type { Store } from './store.ts';

/** Pays out the money of connected accounts some time after it has become available. Pending payouts survive a restart. */
export function startPayoutClock(
  store: Store,
  clock: Clock,
  delayMs: number,
): (event: StripeEvent) => void {
  const waitToSettle = (id: string) =>
    clock.later(delayMs, (tx) => {
      const payout = store.payouts.get(id);
      if (payout?.status === 'pending') settlePayout(tx, payout);
    });

  /** Waits for the newest money, so that one payout pays out all. */
  const waitToPayOut = (accountId: string) => {
    const newest = Math.max(0, ...movementsOf(store, accountId).map((one) => one.available_on));
    const pendingMs = Math.max(0, newest * 1000 - Date.now());
    clock.later(pendingMs + delayMs, (tx) => {
      const account = store.accounts.get(accountId);
      if (account) payOut(tx, account);
    });
  };

  for (const id of store.accounts.keys()) waitToPayOut(id);
  for (const { id, status } of store.payouts.values()) if (status === 'pending') waitToSettle(id);

  return ({ account, data, type }) => {
    if (type === 'account.updated' && account) waitToPayOut(account);
    if (type === 'transfer.created')
      waitToPayOut((data.object as { destination: string }).destination);
    if (type === 'payout.created') waitToSettle((data.object as { id: string }).id);
  };
}
