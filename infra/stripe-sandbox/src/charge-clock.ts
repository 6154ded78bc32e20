import { recordCharge } from './balance-transactions.ts';
import type { Clock } from './clock.ts';
import type { Charge, StripeEvent } from './objects.ts';
import type { Store } from './store.ts';

/** Records charges whose card delays their balance transaction. Charges that still wait for it survive a restart. */
export function startChargeClock(
  store: Store,
  clock: Clock,
  delayMs: number,
): (event: StripeEvent) => void {
  const wait = (charge: Charge) => {
    if (!lacksBalanceTransaction(store, charge)) return;
    clock.later(delayMs, (tx) => {
      const current = tx.charge(charge.id);
      if (lacksBalanceTransaction(store, current))
        tx.emit('charge.updated', tx.put(recordCharge(tx, current)));
    });
  };
  for (const charge of store.charges.values()) wait(charge);

  return ({ data, type }) => {
    if (type === 'charge.succeeded' || type === 'charge.captured') wait(data.object as Charge);
  };
}

/** Charges of an old ledger never get a balance transaction. */
function lacksBalanceTransaction(store: Store, charge: Charge): boolean {
  const method = store.methods.get(charge.payment_method);
  const isDelayed = method?.sandbox_delays_balance_transaction === true;
  return isDelayed && charge.captured === true && charge.balance_transaction === null;
}
