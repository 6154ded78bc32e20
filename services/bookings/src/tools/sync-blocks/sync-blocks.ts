import { type Consumer, subscribeOnce } from '@lendtools/event-bus';
import type { Deps } from '../../deps.ts';
import { advanceHold } from '../../settle/settle-hold.ts';
import { storeBlock } from '../../store/block-repository.ts';
import { lockHoldsOf, lockUnpaidHoldsBetween } from '../../store/hold-repository.ts';

/** Copies who blocks whom, and frees what either of the two holds of the other's tools and has not begun to pay. */
export const syncBlocks = ({ pool }: Deps): Consumer =>
  subscribeOnce('bookings.sync-blocks', pool, async ({ data, version }, tx) => {
    // A concurrent cart of either of them is stored before the block, which frees it, or reads the block.
    for (const userId of [data.blockerId, data.blockedId].sort()) await lockHoldsOf(tx, userId);
    const isNewer = await storeBlock(tx, data, version);
    if (!isNewer || !data.blocked) return;
    for (const hold of await lockUnpaidHoldsBetween(tx, data.blockerId, data.blockedId))
      await advanceHold(tx, hold, { type: 'GivenUp' });
  });
