import { rowAttempts } from '@lendtools/service-kit';
import { findUnfollowedPayments } from '../../store/ledger-repository.ts';
import { type FollowDeps, followLedger } from './follow-ledger.ts';

export const followOldJob = 'follow-old-payments';
/** Limits a run, because a stopping process waits for it. */
const batchSize = 200;

/** Posts payments from before the ledger, a batch at a time. Also posts those whose task was lost. */
export const followOldPayments = async (deps: FollowDeps): Promise<void> => {
  const { skip, attempt } = await rowAttempts(deps, followOldJob);
  const ids = await findUnfollowedPayments(deps.pool, { skip, limit: batchSize });
  for (const id of ids) await attempt(id, () => followLedger(deps, id));
};
