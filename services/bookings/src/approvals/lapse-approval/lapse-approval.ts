import { databaseNow, inTransaction } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { hasLapsed, lapse } from '../../domain/approval.ts';
import { schedule } from '../../store/schedule.ts';
import { isLost } from '../../store/tool-repository.ts';
import { endLockedApproval, lockApproval } from '../lock-approval.ts';

/** Ends an unanswered approval whose deadline has passed, tool was removed or owner was disabled. */
export const lapseApproval = ({ pool }: Pick<Deps, 'pool'>, id: string): Promise<void> =>
  inTransaction(pool, async (tx) => {
    const locked = await lockApproval(tx, id);
    // Check under the lock: the owner may have accepted meanwhile.
    if (locked?.approval.status !== 'pending') return;
    const { approval, booking } = locked;
    const isOver = hasLapsed(approval, await databaseNow(tx));
    if (isOver || (await isLost(tx, booking.toolId))) await endLockedApproval(tx, locked, lapse);
    else if (!approval.chargesAt) await schedule(tx, 'lapse-approval', id, approval.answerBy);
  });
