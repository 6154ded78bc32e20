import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createPostgresDatabase, type TestDatabase } from '@lendtools/testing';
import { createPool, inTransaction, type Pool } from '../src/database.ts';
import { once } from '../src/idempotency.ts';
import { createLogger } from '../src/logging.ts';
import { createMetrics } from '../src/metrics.ts';
import { deleteInBatches, purgeJob } from '../src/purge.ts';
import { type Quota, spend, spendUploads } from '../src/quota.ts';

const migrations = { 'service-kit': fileURLToPath(new URL('../migrations/', import.meta.url)) };

let database: TestDatabase;
let pool: Pool;

beforeAll(async () => {
  database = await createPostgresDatabase(migrations);
  pool = createPool(database.url, createLogger('test', 'silent'));
  await pool.query('CREATE TABLE things (id int PRIMARY KEY, old boolean NOT NULL)');
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const fill = (from: number, to: number, old: boolean) =>
  pool.query('INSERT INTO things SELECT n, $3 FROM generate_series($1::int, $2::int) n', [
    from,
    to,
    old,
  ]);

const reject = (action: string, when: string) =>
  pool.query(`
    CREATE FUNCTION reject() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'A bad row'; END $$;
    CREATE TRIGGER reject BEFORE ${action} ON things FOR EACH ROW WHEN (${when}) EXECUTE FUNCTION reject()`);

describe('purgeJob', () => {
  it('continues with the other purges after one that fails, and counts the failure', async () => {
    const metrics = createMetrics('test');
    const job = purgeJob(
      { broken: () => Promise.reject(new Error('No such table')), things: async () => 3 },
      { everyMs: 1_000, logger: createLogger('test', 'silent'), metrics },
    );
    const counted = async () => {
      const lines = (await metrics.registry.metrics()).split('\n');
      return lines.filter((line) => /^purge[\w]*_total\{/.test(line)).map(withoutService);
    };
    const succeeded = async (kind: string) => {
      const { values } = await metrics.purgeSucceededAt.get();
      return values.find(({ labels }) => labels.kind === kind)?.value;
    };
    const atFirst = await counted();

    await job.run();
    await job.run();

    expect(atFirst).toEqual([
      'purge_failures_total{kind="broken"} 0',
      'purge_failures_total{kind="things"} 0',
    ]);
    expect(await counted()).toEqual([
      'purged_total{kind="things"} 6',
      'purge_failures_total{kind="broken"} 2',
      'purge_failures_total{kind="things"} 0',
    ]);
    expect(await succeeded('broken')).toBe(0);
    expect(await succeeded('things')).toBeCloseTo(Date.now() / 1_000, -1);
  });
});

const withoutService = (line: string): string => line.replace(',service="test"', '');

describe('deleteInBatches', () => {
  it('deletes exactly the matching rows when two replicas run it together', async () => {
    await fill(1, 5_500, true);
    await fill(6_001, 6_010, false);

    const purge = () => deleteInBatches(pool, { from: 'things', where: 'old' });
    const deleted = await Promise.all([purge(), purge()]);
    const rest = await purge();

    const { rows } = await pool.query('SELECT count(*) AS n FROM things');
    expect(deleted[0] + deleted[1] + rest).toBe(5_500);
    expect(rows[0].n).toBe(10);
  });

  it('skips locked rows', async () => {
    await fill(7_001, 7_003, true);

    const deleted = await inTransaction(pool, async (tx) => {
      await tx.query('SELECT 1 FROM things WHERE id = 7002 FOR UPDATE');
      return deleteInBatches(pool, { from: 'things', where: 'old' });
    });

    const { rows } = await pool.query('SELECT id FROM things WHERE old');
    expect(deleted).toBe(2);
    expect(rows).toEqual([{ id: 7_002 }]);
  });
});

describe('deleteInBatches, with a row that cannot be deleted', () => {
  beforeAll(() => reject('DELETE', 'OLD.id = 8500'));

  it('deletes all other rows, then throws', async () => {
    await fill(8_001, 10_000, true);

    const purge = deleteInBatches(pool, { from: 'things', where: 'old AND id > 8000' });

    await expect(purge).rejects.toThrow('1 rows could not be purged');
    const { rows } = await pool.query('SELECT id FROM things WHERE old AND id > 8000');
    expect(rows).toEqual([{ id: 8_500 }]);
  });
});

describe('a quota', () => {
  const quota: Quota = {
    kind: 'drills',
    limit: 10,
    windowSeconds: 5_400,
    rejection: 'You have drilled a lot.',
  };

  it('lets exactly ten of thirty concurrent calls through if the quota is ten, and gives the others a Retry-After', async () => {
    const userId = randomUUID();

    const attempts = await Promise.allSettled(
      Array.from({ length: 30 }, () => spend(pool, userId, quota)),
    );

    const rejected = attempts.filter((attempt) => attempt.status === 'rejected');
    expect(rejected).toHaveLength(20);
    expect(rejected[0]?.reason).toMatchObject({
      code: 'TOO_MANY_REQUESTS',
      message: 'You have drilled a lot. Please try again in 2 hours.',
      headers: { 'Retry-After': expect.stringMatching(/^5[34]\d\d$/) },
    });
    await spend(pool, randomUUID(), quota);
  });

  it('regains what a rolled-back transaction used, and is renewed after its window', async () => {
    const userId = randomUUID();
    await inTransaction(pool, async (tx) => {
      await spend(tx, userId, quota, 10);
      throw new Error('No');
    }).catch(() => undefined);

    await spend(pool, userId, quota, 10);
    await expect(spend(pool, userId, quota)).rejects.toMatchObject({ status: 429 });
    await pool.query(`UPDATE quotas SET ends_at = now() WHERE user_id = $1`, [userId]);

    await spend(pool, userId, quota, 10);
  });

  it('counts at least a megabyte per uploaded picture', async () => {
    const userId = randomUUID();
    const upload = (images: Record<string, Buffer>) =>
      spendUploads(pool, userId, { images, megabytesPerDay: 4 });

    await upload({});
    await upload({ one: Buffer.alloc(10), two: Buffer.alloc(2.5 * 1024 * 1024) });

    await expect(upload({ three: Buffer.alloc(10) })).rejects.toMatchObject({ status: 429 });
  });
});

describe('the function once', () => {
  it('rejects a new Idempotency-Key after its caller has used thousands of them on a route', async () => {
    const scope = randomUUID();
    await pool.query(
      `INSERT INTO idempotency_keys (scope, route, key, fingerprint)
       SELECT $1, 'drill', n::text, '' FROM generate_series(1, 5000) n`,
      [scope],
    );
    const ask = (route: string) =>
      once(pool, { key: 'another', scope, route, content: {} }, async () => 'done');

    await expect(ask('drill')).rejects.toMatchObject({ status: 429 });
    expect(await ask('saw')).toBe('done');
  });
});
