import { databaseNow, inTransaction } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { graceMinutes, overdueAt } from '../../domain/hold.ts';
import { advanceHold } from '../../settle/settle-hold.ts';
import { lockHold } from '../../store/hold-repository.ts';
import { schedule } from '../../store/schedule.ts';

const graceMs = graceMinutes * 60_000;

/** Frees the dates of an unpaid hold. If its payment has started, checks the hold again after the grace period. */
export const expireHold = ({ pool }: Pick<Deps, 'pool'>, id: string): Promise<void> =>
  inTransaction(pool, async (tx) => {
    const hold = await lockHold(tx, id);
    if (hold?.status !== 'live') return;
    const now = await databaseNow(tx);
    const dueAt = overdueAt(hold, graceMs);
    if (now < dueAt) await schedule(tx, 'expire-hold', id, dueAt);
    else await advanceHold(tx, hold, { type: 'TimePassed', now, graceMs });
  });
