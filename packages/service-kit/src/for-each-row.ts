import { inTransaction, type Pool, type Transaction } from './database.ts';
import { rowAttempts } from './failed-rows.ts';
import type { Logger } from './logging.ts';

/** Which rows a job's query must return: up to `limit`, and none of `skip`. */
export interface RowRange {
  skip: string[];
  limit: number;
}

interface RowDeps {
  pool: Pool;
  logger: Logger;
}

const batchSize = 200;
/** A stopping process waits for the run that is under way; what is left is the next run's. */
const maxBatches = 50;

/**
 * Runs a job's work for each row that `find` returns, in a transaction of its own: no transaction holds the locks of
 * two rows, and a row that fails does not stop the others. It is logged, counted, and left alone for 5 seconds at first,
 * up to 10 minutes while it keeps failing. An outage ends the run at once.
 *
 * `find` locks nothing, so `work` locks its row, and checks again that it is due.
 */
export const forEachRow = <T extends string | { id: string }>(
  deps: RowDeps,
  job: string,
  find: (range: RowRange) => Promise<T[]>,
  work: (tx: Transaction, row: T) => Promise<unknown>,
): Promise<void> =>
  attemptRows(deps, job, find, (row) => inTransaction(deps.pool, (tx) => work(tx, row)));

/** `forEachRow` for work that is more than one transaction. */
export const attemptRows = async <T extends string | { id: string }>(
  deps: RowDeps,
  job: string,
  find: (range: RowRange) => Promise<T[]>,
  work: (row: T) => Promise<unknown>,
): Promise<void> => {
  const { skip, attempt } = await rowAttempts(deps, job);
  for (let batch = 0; batch < maxBatches; batch++) {
    const rows = await find({ skip, limit: batchSize });
    for (const row of rows) {
      const id = typeof row === 'string' ? row : row.id;
      await attempt(id, () => work(row));
      skip.push(id);
    }
    if (rows.length < batchSize) return;
  }
};
