import type { Pool } from './database.ts';
import { isOutage } from './errors.ts';
import type { Logger } from './logging.ts';

const firstDelay = "interval '5 seconds'";
const longestDelay = "interval '10 minutes'";
const longestError = 300;

interface RowAttempts {
  /** Failed rows whose retry is not due yet. */
  skip: string[];
  /**
   * If the work throws, stores the row for a later retry. Rethrows only an outage, which is not the row's fault.
   * @returns whether the work succeeded
   */
  attempt(id: string, work: () => Promise<unknown>): Promise<boolean>;
}

export const rowAttempts = async (
  { pool, logger }: { pool: Pool; logger: Logger },
  job: string,
  { retryAfterMs }: { retryAfterMs?: number } = {},
): Promise<RowAttempts> => {
  const { rows: failed } = await pool.query<{ id: string; isDue: boolean }>(
    `SELECT row_id AS id, retry_at <= now() AS "isDue" FROM failed_rows WHERE job = $1`,
    [job],
  );
  const failedIds = new Set(failed.map(({ id }) => id));
  return {
    skip: failed.filter(({ isDue }) => !isDue).map(({ id }) => id),
    async attempt(id, work) {
      try {
        await work();
      } catch (error) {
        if (isOutage(error)) throw error;
        logger.error({ err: error, job, row: id }, 'a job failed for one row');
        await saveFailedRow(pool, { job, id, error, retryAfterMs });
        return false;
      }
      if (failedIds.has(id))
        await pool.query('DELETE FROM failed_rows WHERE job = $1 AND row_id = $2', [job, id]);
      return true;
    },
  };
};

const saveFailedRow = async (
  pool: Pool,
  failure: { job: string; id: string; error: unknown; retryAfterMs: number | undefined },
): Promise<void> => {
  const { job, id, error, retryAfterMs = null } = failure;
  const message = (error instanceof Error ? error.message : String(error)).slice(0, longestError);
  await pool.query(
    `INSERT INTO failed_rows AS f (job, row_id, error, retry_at)
     VALUES ($1, $2, $3, now() + coalesce($4 * interval '1 ms', ${firstDelay}))
     ON CONFLICT (job, row_id) DO UPDATE SET failures = f.failures + 1, failed_at = now(), error = EXCLUDED.error,
       retry_at = now() + coalesce($4 * interval '1 ms', least(${longestDelay}, ${firstDelay} * 2 ^ least(f.failures, 10)))`,
    [job, id, message, retryAfterMs],
  );
};
