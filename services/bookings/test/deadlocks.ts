import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from '@lendtools/service-kit';

/** Longer than a second, because PostgreSQL updates its statistics once a second. */
const countedAfterMs = 1_500;

export const deadlocksOf = async (pool: Pool): Promise<number> => {
  await sleep(countedAfterMs);
  const { rows } = await pool.query<{ deadlocks: string }>(
    'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()',
  );
  return Number(rows[0]?.deadlocks);
};
