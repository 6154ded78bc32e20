import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createPostgresDatabase, metricIn, type TestDatabase, waitFor } from '@lendtools/testing';
import {
  createLogger,
  createMetrics,
  createPool,
  inTransaction,
  type Job,
  type Pool,
  readJobs,
  schedule,
  startWorker,
  type Tasks,
  unschedule,
} from '../src/index.ts';

const migrations = { 'service-kit': fileURLToPath(new URL('../migrations/', import.meta.url)) };
const logger = createLogger('test', 'silent');

let database: TestDatabase;
let pool: Pool;
const stops: (() => Promise<void>)[] = [];

beforeAll(async () => {
  database = await createPostgresDatabase(migrations);
  pool = createPool(database.url, logger);
});
beforeEach(() => pool.query('TRUNCATE jobs, graphile_worker._private_jobs'));
afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()));
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const replica = ({ tasks = {}, jobs = [] }: { tasks?: Tasks; jobs?: Job[] }) => {
  const own = createPool(database.url, logger);
  const metrics = createMetrics('test');
  const worker = startWorker({ tasks, jobs }, { pool: own, logger, metrics });
  stops.push(async () => {
    await worker.stop();
    await own.end();
  });
  return metrics;
};

const plan = (task: string, id: string, runAt?: Date) =>
  inTransaction(pool, (tx) => schedule(tx, task, id, runAt));

const inHours = (hours: number): Date => new Date(Date.now() + hours * 3_600_000);

const jobsLeft = async () =>
  (await pool.query('SELECT key, run_at, attempts, last_error FROM graphile_worker.jobs')).rows;

const untilDone = () => waitFor('the jobs', async () => (await jobsLeft()).length === 0);

describe('a scheduled task', () => {
  it('runs once on one of two replicas', async () => {
    const runs: string[] = [];
    const tasks = { note: async (id: string) => runs.push(id) };
    replica({ tasks });
    replica({ tasks });
    const ids = Array.from({ length: 50 }, (_, i) => `${i}`);

    for (const id of ids) await plan('note', id);

    await untilDone();
    expect(runs.sort()).toEqual(ids.sort());
  });

  it('runs when it is due', async () => {
    const runs: string[] = [];
    await plan('note', 'later', inHours(1));
    await plan('note', 'soon', new Date(Date.now() + 500));

    replica({ tasks: { note: async (id) => runs.push(id) } });

    await waitFor('the task', async () => runs.length > 0);
    expect(runs).toEqual(['soon']);
  });

  it('is not scheduled by a transaction that rolls back', async () => {
    const attempt = inTransaction(pool, async (tx) => {
      await schedule(tx, 'note', 'a');
      throw new Error('Rolled back');
    });

    await expect(attempt).rejects.toThrow('Rolled back');
    expect(await jobsLeft()).toEqual([]);
  });

  it('is retried with backoff after it throws, while other tasks run', async () => {
    const goodRuns: string[] = [];
    const badRunsMs: number[] = [];
    const metrics = replica({
      tasks: {
        async good(id) {
          goodRuns.push(id);
        },
        async note() {
          badRunsMs.push(Date.now());
          throw new Error('A bad row');
        },
      },
    });
    await plan('note', 'bad');
    await plan('good', 'a');

    const retriedMs = await waitFor('a retry', async () => badRunsMs[1]);

    expect(goodRuns).toEqual(['a']);
    const nextRetryAt = await waitFor('the second failure', async () => {
      const { rows } = await pool.query(
        `SELECT run_at FROM graphile_worker.jobs WHERE attempts = 2 AND locked_at IS NULL`,
      );
      return rows[0]?.run_at as Date | undefined;
    });
    expect(nextRetryAt.getTime() - retriedMs).toBeGreaterThan(7_000);
    expect(await readJobs(pool)).toMatchObject([
      { name: 'good', failedRows: 0 },
      { name: 'note', everySeconds: 0, failedRows: 1, error: 'A bad row' },
    ]);
    await waitFor('the metric', async () => {
      const page = await metrics.registry.metrics();
      return metricIn(page, 'job_failed_rows', { name: 'note' }) === 1;
    });
  });

  it('is retried within ten minutes however often it failed', async () => {
    await plan('note', 'bad', inHours(6));
    await pool.query(
      `UPDATE graphile_worker._private_jobs SET attempts = 12, last_error = 'A bad row'`,
    );

    replica({ tasks: { note: async () => {} } });

    await waitFor('the retry', async () => (await jobsLeft())[0]?.run_at < inHours(0.2));
  });

  it('runs at the instant that it was last scheduled for', async () => {
    const runs: string[] = [];
    await plan('note', 'a', inHours(1));
    await plan('note', 'a');

    replica({ tasks: { note: async (id) => runs.push(id) } });

    await untilDone();
    expect(runs).toEqual(['a']);
  });

  it('runs again if it is scheduled while it runs', async () => {
    let runs = 0;
    replica({
      tasks: {
        async note(id) {
          runs++;
          if (runs === 1) await plan('note', id);
        },
      },
    });
    await plan('note', 'a');

    await waitFor('both runs', async () => runs === 2);
    await untilDone();
  });

  it('does not run once it is cancelled', async () => {
    const runs: string[] = [];
    await plan('note', 'cancelled');
    await unschedule(pool, 'note', 'cancelled');
    await plan('note', 'kept');

    replica({ tasks: { note: async (id) => runs.push(id) } });

    await untilDone();
    expect(runs).toEqual(['kept']);
  });

  it('is not retried if it fails after it was cancelled', async () => {
    let runs = 0;
    replica({
      tasks: {
        async note(id) {
          runs++;
          await unschedule(pool, 'note', id);
          throw new Error('Too late');
        },
      },
    });
    await plan('note', 'a');

    await waitFor('the failure', async () => (await jobsLeft())[0]?.last_error === 'Too late');
    expect(runs).toBe(1);
    expect((await readJobs(pool))[0]?.failedRows).toBe(0);
    replica({ tasks: { other: async () => {} } });
    await untilDone();
  });

  it('runs on another replica if the process that ran it was killed', async () => {
    await plan('note', 'a');
    await pool.query(
      `UPDATE graphile_worker._private_jobs SET attempts = 1, locked_at = now(), locked_by = 'pool-killed'`,
    );
    const runs: string[] = [];

    replica({ tasks: { note: async (id) => runs.push(id) } });

    await untilDone();
    expect(runs).toEqual(['a']);
  });

  it('keeps its next run when a replica that seemed dead finishes the first run', async () => {
    await plan('note', 'a');
    const { rows } = await pool.query<{ id: string }>(
      `UPDATE graphile_worker._private_jobs SET attempts = 1, locked_at = now(), locked_by = 'pool-seems-killed' RETURNING id`,
    );
    replica({ tasks: { other: async () => {} } });
    await waitFor('the job to be freed', async () => {
      const freed = await pool.query('SELECT FROM graphile_worker.jobs WHERE locked_at IS NULL');
      return freed.rowCount === 1;
    });

    await plan('note', 'a', inHours(1));
    await pool.query('SELECT graphile_worker.complete_jobs($1::bigint[])', [[rows[0]?.id]]);

    expect(await jobsLeft()).toHaveLength(1);
  });

  it('runs again if its result could not be saved while other tasks were running', async () => {
    const slow = ['a', 'b', 'c'].map((id) => ({ id, end: Promise.withResolvers<void>() }));
    const runs: string[] = [];
    replica({
      tasks: {
        async slow(id) {
          runs.push(id);
          await slow.find((task) => task.id === id)?.end.promise;
        },
        note: async (id) => runs.push(id),
      },
    });
    for (const { id } of slow) await plan('slow', id);
    await waitFor('the slow tasks', async () => runs.length === slow.length);
    // A sequence, because it is not rolled back.
    await pool.query(`
      CREATE SEQUENCE rejections;
      CREATE FUNCTION reject_deletion() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN PERFORM nextval('rejections'); RAISE 'A bad row'; END $$;
      CREATE TRIGGER reject BEFORE DELETE ON graphile_worker._private_jobs
        FOR EACH ROW EXECUTE FUNCTION reject_deletion()`);

    await plan('note', 'd');
    await waitFor('the failure to save its result', async () => {
      const { rows } = await pool.query('SELECT is_called FROM rejections');
      return rows[0].is_called;
    });
    await pool.query('DROP FUNCTION reject_deletion CASCADE');
    for (const { id, end } of slow) {
      end.resolve();
      await waitFor(`the end of ${id}`, async () =>
        (await jobsLeft()).every(({ key }) => key !== `slow:${id}`),
      );
    }

    await untilDone();
    expect(runs.slice(slow.length)).toEqual(['d', 'd']);
  });

  it('is not taken over from a replica that is still running it', async () => {
    const release = Promise.withResolvers<void>();
    let runs = 0;
    const tasks = {
      async slow() {
        runs++;
        await release.promise;
      },
      note: async () => {},
    };
    replica({ tasks });
    await plan('slow', 'a');
    await waitFor('the task', async () => runs === 1);

    // When it starts, the second replica frees the jobs of dead processes before it runs its own task.
    replica({ tasks: { ...tasks, second: async () => {} } });
    await plan('second', 'b');
    await waitFor('the second replica', async () => (await jobsLeft()).length === 1);
    release.resolve();

    await untilDone();
    expect(runs).toBe(1);
  });

  it('counts as late while it is due but not started', async () => {
    replica({ tasks: { note: async () => {} } });
    await waitFor('the registration', async () => (await readJobs(pool)).length === 1);
    await Promise.all(stops.splice(0).map((stop) => stop()));

    await plan('note', 'a', inHours(-1));

    expect((await readJobs(pool))[0]?.ageSeconds).toBeGreaterThan(3_500);
  });

  it('finishes before the worker stops', async () => {
    let isDone = false;
    const started = Promise.withResolvers<void>();
    replica({
      tasks: {
        async note() {
          started.resolve();
          await pool.query('SELECT pg_sleep(0.3)');
          isDone = true;
        },
      },
    });
    await plan('note', 'a');
    await started.promise;

    await Promise.all(stops.splice(0).map((stop) => stop()));

    expect(isDone).toBe(true);
    expect(await jobsLeft()).toEqual([]);
  });
});

describe('a periodic job', () => {
  it('runs again and again, on one replica at a time', async () => {
    let runs = 0;
    let atOnce = 0;
    let mostAtOnce = 0;
    const job = {
      name: 'count',
      everyMs: 20,
      async run() {
        mostAtOnce = Math.max(mostAtOnce, ++atOnce);
        await pool.query('SELECT pg_sleep(0.05)');
        atOnce--;
        runs++;
      },
    };
    replica({ jobs: [job] });
    replica({ jobs: [job] });

    await waitFor('five runs', async () => runs >= 5);

    expect(mostAtOnce).toBe(1);
    expect((await readJobs(pool))[0]?.everySeconds).toBe(0.02);
  });

  it('runs again after it fails, and counts the failure', async () => {
    let runs = 0;
    const metrics = replica({
      jobs: [
        {
          name: 'fail',
          everyMs: 20,
          async run() {
            runs++;
            throw new Error('No');
          },
        },
      ],
    });

    await waitFor('a second run', async () => runs >= 2);

    const page = await metrics.registry.metrics();
    expect(metricIn(page, 'job_failures_total', { name: 'fail' })).toBeGreaterThan(0);
  });
});
