import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from '@lendtools/service-kit';

/** PostgreSQL counts a second late. */
const countedAfterMs = 1_500;

/** How many deadlocks there have been in a test's own database. */
export const deadlocksOf = async (pool: Pool): Promise<number> => {
  await sleep(countedAfterMs);
  const { rows } = await pool.query<{ deadlocks: string }>(
    'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()',
  );
  return Number(rows[0]?.deadlocks);
};
