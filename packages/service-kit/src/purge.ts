import { inTransaction, type Pool, type Transaction } from './database.ts';
import { isOutage } from './errors.ts';
import type { Job } from './jobs.ts';
import type { Logger } from './logging.ts';
import type { Metrics } from './metrics.ts';

/** Deletes what is no longer needed and returns the count. Several replicas may run it at once. */
export type Purge = () => Promise<number>;

export const purgeJob = (
  purges: Record<string, Purge>,
  { everyMs, logger, metrics }: { everyMs: number; logger: Logger; metrics: Metrics },
): Job => {
  // Start the counters at 0: `increase()` would miss the first failure of a counter that starts at 1.
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

/** Deletes batches until one is not full. Stops after `maxBatches`, because a stopping process waits for this work. */
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
 * Deletes in batches, so that no statement holds locks for long. Skips locked rows.
 * @throws AggregateError after deleting all others, if some rows could not be deleted
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
  /** Locks up to `limit` rows, skips locked ones, and returns their keys. */
  find(tx: Transaction, range: { skip: string[]; limit: number }): Promise<string[]>;
  purge(tx: Transaction, keys: string[]): Promise<unknown>;
}

/** After this many failures the purge stops, because the rows cannot be the cause. */
const mostFailures = 100;

/**
 * Purges rows in batches, one transaction each. If a batch fails, its rows are purged one by one.
 * @throws AggregateError after purging all others, if some rows could not be purged
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

export const kitPurges = (pool: Pool): Record<string, Purge> => ({
  idempotency_keys: () =>
    deleteInBatches(pool, { from: 'idempotency_keys', where: olderThan('created_at', 3) }),
  failed_rows: () =>
    deleteInBatches(pool, { from: 'failed_rows', where: olderThan('retry_at', 1) }),
  quotas: () => deleteInBatches(pool, { from: 'quotas', where: 'ends_at < now()' }),
});
