import { inTransaction, scheduleAll, type Transaction } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { listAvailableShares } from '../../store/ledger-repository.ts';
import { acceptHeldReversals } from '../../store/reversal-repository.ts';
import { resumeRejected, shareKey } from '../../store/transfer-repository.ts';

/** Transfers what an owner's shares have: the account is ready, or no longer held. */
export const resumeTransfers = ({ pool }: Pick<Deps, 'pool'>, ownerId: string): Promise<number> =>
  inTransaction(pool, (tx) => resume(tx, ownerId));

/**
 * The same for an admin, who also lets what was reversed in Stripe's dashboard be transferred again.
 * @returns how many shares have something to transfer
 */
export const retryTransfers = ({ pool }: Pick<Deps, 'pool'>, ownerId: string): Promise<number> =>
  inTransaction(pool, async (tx) => {
    await acceptHeldReversals(tx, ownerId);
    return resume(tx, ownerId);
  });

const resume = async (tx: Transaction, ownerId: string): Promise<number> => {
  await resumeRejected(tx, ownerId);
  const shares = await listAvailableShares(tx, ownerId);
  await scheduleAll(
    tx,
    shares.map((share) => ({ task: 'send-transfer', id: shareKey(share), runAt: null })),
  );
  return shares.length;
};
