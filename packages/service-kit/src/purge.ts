import type { Pool } from './database.ts';
import type { Job } from './lifecycle.ts';
import type { Logger } from './logging.ts';
import type { Metrics } from './metrics.ts';

/** Deletes what is no longer needed and returns how much that was. Safe on several replicas at once. */
export type Purge = () => Promise<number>;

/** Runs the purges at an interval, one after the other, and counts under each one's name what it deleted, or that it failed. */
export const purgeJob = (
  purges: Record<string, Purge>,
  { everyMs, logger, metrics }: { everyMs: number; logger: Logger; metrics: Metrics },
): Job => {
  // A counter that begins with its first failure would show no increase by it.
  for (const kind of Object.keys(purges)) {
    metrics.purgeFailures.inc({ kind }, 0);
    metrics.purgeSucceededAt.set({ kind }, 0);
  }
  metrics.purgeInterval.set(everyMs / 1_000);
  return {
    name: 'purge',
    everyMs,
    async run() {
      for (const [kind, purge] of Object.entries(purges)) {
        await purge().then(
          (count) => {
            metrics.purged.inc({ kind }, count);
            metrics.purgeSucceededAt.setToCurrentTime({ kind });
          },
          (error) => {
            metrics.purgeFailures.inc({ kind });
            logger.warn({ err: error, kind }, 'a purge failed');
          },
        );
      }
    },
  };
};

/**
 * Deletes batch after batch until one is not full, and returns how much that was. What is left after `maxBatches`
 * waits for the next turn: a stopping process must not wait for a million rows.
 */
export const inBatches = async (
  { batchSize = 1_000, maxBatches = 100 }: { batchSize?: number; maxBatches?: number },
  deleteSome: (batchSize: number) => Promise<number>,
): Promise<number> => {
  let deleted = 0;
  for (let batch = 0; batch < maxBatches; batch++) {
    const count = await deleteSome(batchSize);
    deleted += count;
    if (count < batchSize) break;
  }
  return deleted;
};

/**
 * Deletes the rows of a table, batch by batch, so that no statement holds its locks for long. Rows that are locked,
 * for example by another replica's purge, are skipped.
 */
export const deleteInBatches = (
  pool: Pool,
  { from, where, values = [] }: { from: string; where: string; values?: unknown[] },
): Promise<number> =>
  inBatches({}, async (batchSize) => {
    const { rowCount } = await pool.query(
      `DELETE FROM ${from} WHERE ctid = ANY (ARRAY(
         SELECT ctid FROM ${from} WHERE ${where} LIMIT ${batchSize} FOR UPDATE SKIP LOCKED))`,
      values,
    );
    return rowCount ?? 0;
  });

export const olderThan = (column: string, days: number): string =>
  `${column} < now() - interval '${days} days'`;

/** Purges of the kit's own tables. */
export const kitPurges = (pool: Pool): Record<string, Purge> => ({
  idempotency_keys: () =>
    deleteInBatches(pool, { from: 'idempotency_keys', where: olderThan('created_at', 3) }),
  quotas: () => deleteInBatches(pool, { from: 'quotas', where: 'ends_at < now()' }),
});
