import { readFileSync } from 'node:fs';
import type { Pool } from '@lendtools/service-kit';

export const migrationText = (file: string): string =>
  readFileSync(new URL(`../migrations/${file}`, import.meta.url), 'utf8');

/**
 * Recreates a migration's fill procedure, which a later migration drops, and calls it while another transaction
 * changes a tool.
 */
export const fillWhileChanging = async (
  pool: Pool,
  { migration, procedure, change }: { migration: string; procedure: string; change: string },
): Promise<void> => {
  await pool.query(migrationText(migration).replace(/^[\s\S]*(?=CREATE PROC)/, ''));
  const busy = await pool.connect();
  await busy.query(`BEGIN; ${change}`);
  const filling = pool.query(`CALL ${procedure}()`);
  await busy.query('SELECT pg_sleep(0.3); COMMIT');
  busy.release();
  await filling;
};
