import { inTransaction, scheduleAll } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { listAvailableShares } from '../../store/ledger-repository.ts';
import { resumeRejected, shareKey } from '../../store/transfer-repository.ts';

/** Transfers what an owner's shares have: the account is ready, or no longer held. */
export const resumeTransfers = ({ pool }: Pick<Deps, 'pool'>, ownerId: string): Promise<void> =>
  inTransaction(pool, async (tx) => {
    await resumeRejected(tx, ownerId);
    const shares = await listAvailableShares(tx, ownerId);
    const jobs = shares.map((share) => ({
      task: 'send-transfer',
      id: shareKey(share),
      runAt: null,
    }));
    await scheduleAll(tx, jobs);
  });
