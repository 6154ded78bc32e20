import { inTransaction, type Pool, type Transaction } from './database.ts';
import { isOutage } from './errors.ts';
import type { Job } from './jobs.ts';
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
 * @throws AggregateError after all others are deleted, if some rows could not be
 */
export const deleteInBatches = (
  pool: Pool,
  { from, where, values = [] }: { from: string; where: string; values?: unknown[] },
): Promise<number> =>
  purgeRows(pool, {
    async find(tx, { skip, limit }) {
      const { rows } = await tx.query<{ ctid: string }>(
        `SELECT ctid FROM ${from} WHERE (${where}) AND ctid <> ALL ($${values.length + 1}::tid[])
         LIMIT ${limit} FOR UPDATE SKIP LOCKED`,
        [...values, skip],
      );
      return rows.map(({ ctid }) => ctid);
    },
    async purge(tx, ctids) {
      await tx.query(`DELETE FROM ${from} WHERE ctid = ANY ($1::tid[])`, [ctids]);
    },
  });

interface PurgeSteps {
  /** Locks up to `limit` of the rows, skipping those that are locked, and returns their keys. */
  find(tx: Transaction, range: { skip: string[]; limit: number }): Promise<string[]>;
  purge(tx: Transaction, keys: string[]): Promise<unknown>;
}

/** With more the cause is not in the rows. */
const mostFailures = 100;

/**
 * Purges rows batch by batch, each in a transaction. When a batch fails, its rows are purged one by one, and those that
 * fail are skipped until the next run.
 * @throws AggregateError after all others are purged, if some rows could not be
 */
export const purgeRows = async (
  pool: Pool,
  { find, purge }: PurgeSteps,
  { batchSize = 1_000, maxBatches = 100 } = {},
): Promise<number> => {
  const failed = new Map<string, unknown>();
  let limit = batchSize;
  let purged = 0;
  for (let left = batchSize * maxBatches; left > 0; ) {
    let keys: string[] = [];
    try {
      await inTransaction(pool, async (tx) => {
        keys = await find(tx, { skip: [...failed.keys()], limit });
        if (keys.length > 0) await purge(tx, keys);
      });
      purged += keys.length;
      left -= keys.length;
      if (keys.length < limit) break;
    } catch (error) {
      const [key] = keys;
      if (key === undefined || isOutage(error) || failed.size === mostFailures) throw error;
      if (limit === 1) failed.set(key, error);
      limit = 1;
    }
  }
  if (failed.size > 0)
    throw new AggregateError(failed.values(), `${failed.size} rows could not be purged`);
  return purged;
};

export const olderThan = (column: string, days: number): string =>
  `${column} < now() - interval '${days} days'`;

/** Purges of the kit's own tables. */
export const kitPurges = (pool: Pool): Record<string, Purge> => ({
  idempotency_keys: () =>
    deleteInBatches(pool, { from: 'idempotency_keys', where: olderThan('created_at', 3) }),
  failed_rows: () =>
    deleteInBatches(pool, { from: 'failed_rows', where: olderThan('retry_at', 1) }),
  quotas: () => deleteInBatches(pool, { from: 'quotas', where: 'ends_at < now()' }),
});
