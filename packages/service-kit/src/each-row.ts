import { inTransaction, type Pool, type Transaction } from './database.ts';
import { isOutage } from './errors.ts';
import type { Logger } from './logging.ts';

/**
 * Runs a job's work for each row in a transaction of its own: a row that fails does not stop the others, and no transaction
 * holds the locks of two rows. An outage ends the job at once.
 * @throws AggregateError after the last row if some failed, so that the job counts as failed
 */
export const forEachRow = async <T>(
  { pool, logger }: { pool: Pool; logger: Logger },
  rows: T[],
  work: (tx: Transaction, row: T) => Promise<unknown>,
): Promise<void> => {
  const errors: unknown[] = [];
  for (const row of rows)
    await inTransaction(pool, (tx) => work(tx, row)).catch((error: unknown) => {
      if (isOutage(error)) throw error;
      errors.push(error);
      logger.error({ err: error, row }, 'a job failed for one row');
    });
  if (errors.length > 0)
    throw new AggregateError(errors, `${errors.length} of ${rows.length} rows failed`);
};
