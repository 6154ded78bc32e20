import { forEachRow, type RowRange } from '@lendtools/service-kit';
import type { Deps } from '../deps.ts';
import { databaseNow, findOverdueHolds, lockFreeHold } from '../purchase-repository.ts';
import { advanceHold } from '../settle-purchase.ts';

/** Frees the dates of holds that were not paid in time. Safe on several replicas at once. */
export const expireHolds = async (deps: Deps): Promise<void> => {
  const { pool, config } = deps;
  const graceMs = config.PAYMENT_GRACE_MINUTES * 60_000;
  const find = (range: RowRange) => findOverdueHolds(pool, graceMs, range);
  await forEachRow(deps, 'expire-holds', find, async (tx, id) => {
    const hold = await lockFreeHold(tx, id);
    if (hold)
      await advanceHold(tx, hold, { type: 'TimePassed', now: await databaseNow(tx), graceMs });
  });
};
