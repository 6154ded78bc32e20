import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createPostgresDatabase, metricIn, type TestDatabase, waitFor } from '@lendtools/testing';
import {
  createLogger,
  createMetrics,
  createPool,
  forEachRow,
  type Job,
  type ListPage,
  type Pool,
  postgresJobLog,
  type RowRange,
  readJobs,
  reconcile,
  startJobs,
} from '../src/index.ts';

const migrations = { 'service-kit': fileURLToPath(new URL('../migrations/', import.meta.url)) };
const logger = createLogger('test', 'silent');

let database: TestDatabase;
let pool: Pool;

beforeAll(async () => {
  database = await createPostgresDatabase(migrations);
  pool = createPool(database.url, logger);
  await pool.query('CREATE TABLE things (id uuid PRIMARY KEY, n int NOT NULL, done boolean)');
});

afterAll(async () => {
  await pool.end();
  await database.drop();
});

beforeEach(() => pool.query('TRUNCATE things, failed_rows, jobs'));

const deps = () => ({ pool, logger });

const addThings = (count: number) =>
  pool.query('INSERT INTO things SELECT uuidv7(), n FROM generate_series(1, $1::int) n', [count]);

const findThings = async ({ skip, limit }: RowRange): Promise<{ id: string; n: number }[]> => {
  const { rows } = await pool.query(
    'SELECT id, n FROM things WHERE done IS NULL AND id <> ALL ($1::uuid[]) ORDER BY n LIMIT $2',
    [skip, limit],
  );
  return rows;
};

const handleThings = async (isBad: (n: number) => boolean): Promise<number[]> => {
  const attempted: number[] = [];
  await forEachRow(deps(), 'handle-things', findThings, async (tx, { id, n }) => {
    attempted.push(n);
    await tx.query('UPDATE things SET done = true WHERE id = $1', [id]);
    if (isBad(n)) throw new Error(`Thing ${n} is bad`);
  });
  return attempted;
};

const left = async (): Promise<number[]> => {
  const { rows } = await pool.query('SELECT n FROM things WHERE done IS NULL ORDER BY n');
  return rows.map(({ n }) => n);
};

const makeDue = () => pool.query('UPDATE failed_rows SET retry_at = now()');

describe('forEachRow', () => {
  it('handles all other rows even if the whole first batch fails', async () => {
    await addThings(500);

    await handleThings((n) => n <= 250);

    expect(await left()).toEqual(Array.from({ length: 250 }, (_, i) => i + 1));
  });

  it('skips a failed row until its retry is due', async () => {
    await addThings(2);
    const isBad = (n: number) => n === 1;

    const first = await handleThings(isBad);
    const second = await handleThings(isBad);
    await makeDue();
    const third = await handleThings(isBad);

    expect([first, second, third]).toEqual([[1, 2], [], [1]]);
    const { rows } = await pool.query(
      `SELECT job, failures, error, retry_at - failed_at > interval '9 seconds' AS waits FROM failed_rows`,
    );
    expect(rows).toEqual([
      { job: 'handle-things', failures: 2, error: 'Thing 1 is bad', waits: true },
    ]);
  });

  it('deletes the failure record when a row succeeds', async () => {
    await addThings(1);
    await handleThings(() => true);
    await makeDue();

    await handleThings(() => false);

    expect((await pool.query('SELECT * FROM failed_rows')).rows).toEqual([]);
    expect(await left()).toEqual([]);
  });

  it('stops a job on an outage without recording a failure for the row', async () => {
    await addThings(2);
    const outage = Object.assign(new Error('The disk is full'), { code: '53100' });

    const run = forEachRow(deps(), 'handle-things', findThings, () => Promise.reject(outage));

    await expect(run).rejects.toThrow('The disk is full');
    expect((await pool.query('SELECT * FROM failed_rows')).rows).toEqual([]);
  });
});

describe('reconcile', () => {
  const job = 'compare-lists';
  const list = { job, keyOf: (item: string) => item };
  const page = (items: string[], nextCursor: string | null = null): ListPage<string> => ({
    items,
    nextCursor,
    upTo: new Date().toISOString(),
  });
  const failed = async () =>
    (await pool.query('SELECT row_id FROM failed_rows WHERE job = $1', [job])).rows;

  const newWalk = async (): Promise<string> => {
    const name = randomUUID();
    await pool.query(
      `INSERT INTO reconciliations (name, next_at, reached_at) VALUES ($1, now(), to_timestamp(0))`,
      [name],
    );
    return name;
  };

  it('completes only when it has read the whole list', async () => {
    const name = await newWalk();
    const read = async () => page(['a']);
    const take = async () => {};

    const ended = await reconcile(deps(), name, { ...list, read, take });
    const notDue = await reconcile(deps(), name, { ...list, read, take });
    await pool.query('UPDATE reconciliations SET next_at = now()');
    const cutShort = await reconcile(deps(), name, {
      ...list,
      take,
      everyMs: 0,
      read: async () => page(['a'], 'more'),
    });

    expect([ended, notDue, cutShort]).toEqual([true, false, false]);
  });

  it('records a failing item in the failed rows until it succeeds, and applies the other items', async () => {
    const name = await newWalk();
    const taken: string[] = [];
    let isBad = true;
    const walk = () =>
      reconcile(deps(), name, {
        ...list,
        read: async () => page(['a', 'b', 'c']),
        async take(item) {
          if (item === 'b' && isBad) throw new Error('No');
          taken.push(item);
        },
      });

    await walk();
    const failedFirst = await failed();
    isBad = false;
    await pool.query('UPDATE reconciliations SET next_at = now()');
    await walk();

    expect(taken).toEqual(['a', 'c', 'a', 'b', 'c']);
    expect(failedFirst).toEqual([{ row_id: 'b' }]);
    expect(await failed()).toEqual([]);
  });
});

describe('the log of a service’s jobs', () => {
  const start = (jobs: Job[]) => {
    const metrics = createMetrics('test');
    const started = startJobs(jobs, { logger, metrics, log: postgresJobLog(pool) });
    const read = async (metric: string, name: string) =>
      metricIn(await metrics.registry.metrics(), metric, { name });
    return { ...started, read };
  };
  const lateBy = (name: string, age: string) =>
    pool.query(
      `INSERT INTO jobs (name, every_seconds, completed_at) VALUES ($1, 1, now() - $2::interval)`,
      [name, age],
    );
  const ageOf = async (name: string) =>
    (await readJobs(pool)).find((state) => state.name === name)?.ageSeconds;

  it('exports how long ago each job last completed, on any replica', async () => {
    await lateBy('works', '1 hour');
    await lateBy('is-late', '2 hours');
    let runs = 0;
    const never = async () => {
      runs++;
      return false;
    };
    const jobs = start([
      { name: 'works', everyMs: 10, run: async () => {} },
      { name: 'is-late', everyMs: 10, passEveryMs: 300_000, run: never },
    ]);

    await waitFor('a pass', async () => ((await ageOf('works')) ?? 3_600) < 3_000);
    await waitFor('some runs', () => runs > 3);

    expect(await jobs.read('job_last_completed_age_seconds', 'works')).toBeLessThan(3_000);
    expect(await jobs.read('job_last_completed_age_seconds', 'is-late')).toBeGreaterThan(7_000);
    expect(await jobs.read('job_interval_seconds', 'is-late')).toBe(300);
    await jobs.stop();
  });

  it('exports how many rows each job failed to handle', async () => {
    await addThings(3);
    await lateBy('handle-things', '0');
    await handleThings((n) => n > 1);

    const jobs = start([{ name: 'handle-things', everyMs: 60_000, run: async () => {} }]);

    expect(await jobs.read('job_failed_rows', 'handle-things')).toBe(2);
    await jobs.stop();
  });

  it('forgets a job that this version lacks, a day after it last completed', async () => {
    await lateBy('removed-today', '1 hour');
    await lateBy('removed-long-ago', '2 days');

    const jobs = start([{ name: 'works', everyMs: 10, run: async () => {} }]);
    await waitFor('its row', async () => (await ageOf('works')) !== undefined);
    await waitFor('the old one to go', async () => (await ageOf('removed-long-ago')) === undefined);

    expect(await ageOf('removed-today')).toBeGreaterThan(3_000);
    await jobs.stop();
  });
});
