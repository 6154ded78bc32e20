import { fileURLToPath } from 'node:url';
import { createLogger, createMetrics, createPool, startWorker } from '@lendtools/service-kit';
import { postgresMigrations } from '@lendtools/service-runtime';
import { createPostgresDatabase } from '@lendtools/testing';
import { inShort } from './effort.ts';
import { percentile, type Row } from './statistics.ts';

const scheduled = inShort(1_000_000, 10_000);
const dueAtOnce = 1_000;
const none = fileURLToPath(new URL('./no-migrations/', import.meta.url));

/** Measures how late tasks start if a thousand are due at once while a million others are due later. */
export const benchScheduled = async (): Promise<Row> => {
  const logger = createLogger('bench', 'silent');
  const database = await createPostgresDatabase(postgresMigrations(none));
  const pool = createPool(database.url, logger, { statementTimeoutMs: 600_000 });
  const add = (task: string, { count, atMs }: { count: number; atMs: number }) =>
    pool.query(
      `SELECT FROM graphile_worker.add_jobs(ARRAY(
         SELECT ROW ($1, to_json(i::text), NULL, to_timestamp($3), NULL, $1 || ':' || i, NULL, NULL)::graphile_worker.job_spec
         FROM generate_series(1, $2) i))`,
      [task, count, atMs / 1_000],
    );
  await add('later', { count: scheduled, atMs: Date.now() + 86_400_000 });
  await pool.query('VACUUM ANALYZE graphile_worker._private_jobs');

  const lateMs: number[] = [];
  const done = Promise.withResolvers<void>();
  const dueMs = Date.now() + 10_000;
  const tasks = {
    later: async () => {},
    async due() {
      lateMs.push(Date.now() - dueMs);
      await pool.query('SELECT 1');
      if (lateMs.length === dueAtOnce) done.resolve();
    },
  };
  const work = { tasks, jobs: [] };
  const worker = startWorker(work, { pool, logger, metrics: createMetrics('bench') });
  await add('due', { count: dueAtOnce, atMs: dueMs });
  await done.promise;

  await worker.stop();
  await pool.end();
  await database.drop();
  const [p50, p99] = [percentile(lateMs, 50), percentile(lateMs, 99)];
  return {
    name: `${dueAtOnce} tasks due at once, among ${scheduled} scheduled: lateness p50, p99`,
    measured: `${p50} ms, ${p99} ms`,
    bound: 'p99 ≤ 5000 ms',
    kept: p99 <= 5_000,
  };
};
