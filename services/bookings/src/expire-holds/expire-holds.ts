import { forEachRow } from '@lendtools/service-kit';
import type { Deps } from '../deps.ts';
import { databaseNow, findOverdueHolds, lockFreeHold } from '../purchase-repository.ts';
import { advanceHold } from '../settle-purchase.ts';

/** Frees the dates of the holds that were not paid in time. Safe on several replicas at once. */
export const expireHolds = async (deps: Deps): Promise<void> => {
  const graceMs = deps.config.PAYMENT_GRACE_MINUTES * 60_000;
  await forEachRow(deps, await findOverdueHolds(deps.pool, graceMs), async (tx, id) => {
    const hold = await lockFreeHold(tx, id);
    if (hold)
      await advanceHold(tx, hold, { type: 'TimePassed', now: await databaseNow(tx), graceMs });
  });
};
