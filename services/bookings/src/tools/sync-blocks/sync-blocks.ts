import { type Consumer, subscribeOnce } from '@lendtools/event-bus';
import type { Deps } from '../../deps.ts';
import { advanceHold } from '../../settle/settle-hold.ts';
import { storeBlock } from '../../store/block-repository.ts';
import { findUnpaidHoldsOf, lockHold } from '../../store/hold-repository.ts';

/** Copies who blocks whom, and frees what either of the two holds of the other's tools and has not begun to pay. */
export const syncBlocks = ({ pool }: Deps): Consumer =>
  subscribeOnce('bookings.sync-blocks', pool, async ({ data, version }, tx) => {
    const isNewer = await storeBlock(tx, data, version);
    if (!isNewer || !data.blocked) return;
    for (const id of await findUnpaidHoldsOf(tx, data.blockerId, data.blockedId)) {
      const hold = await lockHold(tx, id);
      if (hold?.status === 'live' && !hold.paymentStartedAt)
        await advanceHold(tx, hold, { type: 'GivenUp' });
    }
  });
