import { databaseNow, faultPoint, inTransaction } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { fail, lapse } from '../../domain/approval.ts';
import { isDisputed } from '../../store/allocation-repository.ts';
import { schedule } from '../../store/schedule.ts';
import { isLost } from '../../store/tool-repository.ts';
import { applyAcceptance } from '../apply-acceptance.ts';
import { endLockedApproval, lockApproval } from '../lock-approval.ts';

/**
 * Charges the card of an accepted approval once its owner can no longer undo the acceptance. Ends the approval if the tool was
 * removed or the owner disabled since.
 */
export const finishAcceptance = ({ pool }: Pick<Deps, 'pool'>, id: string): Promise<void> =>
  inTransaction(pool, async (tx) => {
    const locked = await lockApproval(tx, id);
    // Check under the lock: the owner may have undone the acceptance, or the renter withdrawn the request.
    const chargesAt = locked?.approval.status === 'pending' && locked.approval.chargesAt;
    if (!locked || !chargesAt) return;
    const now = await databaseNow(tx);
    if (now < chargesAt) return schedule(tx, 'finish-acceptance', id, chargesAt);
    const { booking, change } = locked;
    if (change && (await isDisputed(tx, booking.id))) await endLockedApproval(tx, locked, fail);
    else if (await isLost(tx, booking.toolId)) await endLockedApproval(tx, locked, lapse);
    else await applyAcceptance(tx, locked, now);
    await faultPoint('finishAcceptance.beforeCommit');
  });
