import { inTransaction } from '@lendtools/service-kit';
import type { Deps } from '../deps.ts';
import { databaseNow, lockOverdueHolds } from '../purchase-repository.ts';
import { advanceHold } from '../settle-purchase.ts';

/** Frees the dates of the holds that nobody paid in time. Safe on several replicas at once. */
export const expireHolds = async ({ pool, config }: Deps): Promise<void> => {
  const graceMs = config.PAYMENT_GRACE_MINUTES * 60_000;
  let freed: number;
  do {
    freed = await inTransaction(pool, async (tx) => {
      const holds = await lockOverdueHolds(tx, graceMs);
      const now = await databaseNow(tx);
      for (const hold of holds) await advanceHold(tx, hold, { type: 'TimePassed', now, graceMs });
      return holds.length;
    });
  } while (freed > 0);
};
