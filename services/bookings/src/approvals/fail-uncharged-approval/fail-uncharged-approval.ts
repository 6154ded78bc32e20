import { databaseNow, inTransaction } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { fail } from '../../domain/approval.ts';
import { failsAt } from '../../settle/settle-approval.ts';
import { schedule } from '../../store/schedule.ts';
import { endLockedApproval, lockApproval } from '../lock-approval.ts';

/** Fails an accepted approval that was not charged in time. A later charge is refunded. */
export const failUnchargedApproval = ({ pool }: Pick<Deps, 'pool'>, id: string): Promise<void> =>
  inTransaction(pool, async (tx) => {
    const locked = await lockApproval(tx, id);
    if (locked?.approval.status !== 'accepted') return;
    const dueAt = failsAt(locked, locked.approval.acceptedAt);
    if ((await databaseNow(tx)) < dueAt) await schedule(tx, 'fail-uncharged-approval', id, dueAt);
    else await endLockedApproval(tx, locked, fail);
  });
