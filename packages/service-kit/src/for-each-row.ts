import { inTransaction, type Pool, type Transaction } from './database.ts';
import { rowAttempts } from './failed-rows.ts';
import type { Logger } from './logging.ts';

/** A job's query must return at most `limit` rows, and none in `skip`. */
export interface RowRange {
  skip: string[];
  limit: number;
}

interface RowDeps {
  pool: Pool;
  logger: Logger;
}

const batchSize = 200;
/** Limits a run, because a stopping process waits for it to finish. The next run handles the rest. */
const maxBatches = 50;

/**
 * Handles each row that `find` returns in its own transaction, so that no transaction locks two rows. A failing row
 * does not stop the others; it is retried later. An outage ends the run. `find` takes no locks, so `work` must lock its
 * row and check again that it is due.
 */
export const forEachRow = async <T extends string | { id: string }>(
  deps: RowDeps,
  job: string,
  find: (range: RowRange) => Promise<T[]>,
  work: (tx: Transaction, row: T) => Promise<unknown>,
): Promise<void> => {
  const { skip, attempt } = await rowAttempts(deps, job);
  for (let batch = 0; batch < maxBatches; batch++) {
    const rows = await find({ skip, limit: batchSize });
    for (const row of rows) {
      const id = typeof row === 'string' ? row : row.id;
      await attempt(id, () => inTransaction(deps.pool, (tx) => work(tx, row)));
      skip.push(id);
    }
    if (rows.length < batchSize) return;
  }
};
