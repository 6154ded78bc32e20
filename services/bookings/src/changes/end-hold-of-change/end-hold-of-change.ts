import { inTransaction } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { giveUpChange } from '../../settle/settle-hold.ts';
import { isChangeEnded } from '../../store/change-repository.ts';
import { lockHold } from '../../store/hold-repository.ts';

/** Ends the hold of an ended change, so that the card is not charged for that change. */
export const endHoldOfChange = ({ pool }: Pick<Deps, 'pool'>, holdId: string): Promise<void> =>
  inTransaction(pool, async (tx) => {
    const hold = await lockHold(tx, holdId);
    if (hold?.status !== 'live' && hold?.status !== 'requested') return;
    if (await isChangeEnded(tx, holdId)) await giveUpChange(tx, hold);
  });
