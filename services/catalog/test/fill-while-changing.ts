import { readFileSync } from 'node:fs';
import type { Pool } from '@lendtools/service-kit';

export const migrationText = (file: string): string =>
  readFileSync(new URL(`../migrations/${file}`, import.meta.url), 'utf8');

/**
 * Makes the procedure that a migration ends with, and that a later one drops, anew, and calls it while somebody is in the
 * middle of a change.
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
