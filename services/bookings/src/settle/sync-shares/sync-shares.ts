import { type Consumer, NotKnownYetError, subscribeOnce } from '@lendtools/event-bus';
import type { Deps } from '../../deps.ts';
import { applyPaymentChange } from '../end-lost-bookings.ts';

/** Copies what the ledger of payments says is gone of each booking's share. */
export const syncShares = ({ pool }: Deps): Consumer =>
  subscribeOnce('bookings.sync-shares', pool, async ({ version, data }, tx) => {
    const { paymentId, shares: gone } = data;
    const { isKnown } = await applyPaymentChange(tx, paymentId, { shares: { version, gone } });
    if (!isKnown) throw new NotKnownYetError(`Payment ${paymentId} is not known yet`);
  });
