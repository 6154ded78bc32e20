import { inTransaction, type Pool, type Transaction } from './database.ts';
import { rowAttempts } from './failed-rows.ts';
import type { Logger } from './logging.ts';

/** What a job's query must respect: return at most `limit` rows, and none in `skip`. */
export interface RowRange {
  skip: string[];
  limit: number;
}

interface RowDeps {
  pool: Pool;
  logger: Logger;
}

const batchSize = 200;
/** Limits a run, because a stopping process waits for it to finish; the next run takes the rest. */
const maxBatches = 50;

/**
 * Runs a job's work for each row that `find` returns, each in its own transaction. So no transaction locks two rows,
 * and a failing row does not stop the others: it is logged, counted and skipped, for 5 seconds at first and up to 10
 * minutes if it keeps failing. An outage ends the run at once.
 *
 * `find` takes no locks, so `work` must lock its row and check again that it is due.
 */
export const forEachRow = <T extends string | { id: string }>(
  deps: RowDeps,
  job: string,
  find: (range: RowRange) => Promise<T[]>,
  work: (tx: Transaction, row: T) => Promise<unknown>,
): Promise<void> =>
  attemptRows(deps, job, find, (row) => inTransaction(deps.pool, (tx) => work(tx, row)));

/** Like `forEachRow`, for work that needs more than one transaction. */
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
