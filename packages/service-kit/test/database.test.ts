import { randomUUID } from 'node:crypto';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { routes } from '@lendtools/contracts';
import { createPostgresDatabase, type TestDatabase, waitFor } from '@lendtools/testing';
import pg from 'pg';
import { ActOfAdmin } from '../src/audit.ts';
import { runInContext } from '../src/context.ts';
import {
  connectionOptions,
  createPool,
  inTransaction,
  onCommit,
  type Pool,
  type Transaction,
} from '../src/database.ts';
import { isDatabaseOutage } from '../src/database-errors.ts';
import { once } from '../src/idempotency.ts';
import { createLogger } from '../src/logging.ts';
import { createMetrics, measurePool } from '../src/metrics.ts';

const migrations = { 'service-kit': fileURLToPath(new URL('../migrations/', import.meta.url)) };
const logger = createLogger('test', 'silent');

let database: TestDatabase;
let pool: Pool;

beforeAll(async () => {
  database = await createPostgresDatabase(migrations);
  pool = createPool(database.url, logger);
  await pool.query('CREATE TABLE effects (name text NOT NULL)');
  await pool.query('CREATE TABLE counters (name text PRIMARY KEY, n integer NOT NULL)');
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const countEffects = async (name: string): Promise<number> => {
  const { rows } = await pool.query('SELECT count(*) AS n FROM effects WHERE name = $1', [name]);
  return rows[0].n;
};

/** A proxy in front of the server. `vanish` makes it swallow all data without closing connections. */
const startWire = async () => {
  const { hostname, port } = new URL(database.url);
  const sockets: Socket[] = [];
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    client.pipe(upstream).pipe(client);
    for (const socket of [client, upstream]) sockets.push(socket.on('error', () => {}));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(database.url);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: url.toString(),
    vanish() {
      for (const socket of sockets) socket.unpipe().resume();
    },
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};

describe('a pool whose server stops replying', () => {
  it('fails the query as an outage, then reconnects', async () => {
    const wire = await startWire();
    const cutPool = createPool(wire.url, logger, { max: 2, statementTimeoutMs: 200 });
    let failure: Error | undefined;
    inTransaction(cutPool, async (tx) => {
      wire.vanish();
      await tx.query('SELECT 1');
    }).catch((error) => {
      failure = error;
    });

    const error = await waitFor('the end of the question', () => failure);

    expect([error.message, isDatabaseOutage(error)]).toEqual(['Query read timeout', true]);
    expect((await cutPool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    await cutPool.end();
    await wire.stop();
  });
});

describe('a connection', () => {
  it('sets keepalives so that the server drops it after 15 s of silence, and keeps the options of its URL', async () => {
    const url = new URL(database.url);
    url.searchParams.set('options', '-c work_mem=5MB');
    const client = new pg.Client(connectionOptions(url.toString()));
    await client.connect();

    const { rows } = await client.query(`SELECT name, setting FROM pg_settings
      WHERE name LIKE 'tcp_%' OR name = 'work_mem' ORDER BY name`);

    expect(rows.map(({ name, setting }) => `${name} ${setting}`)).toEqual([
      'tcp_keepalives_count 3',
      'tcp_keepalives_idle 5',
      'tcp_keepalives_interval 3',
      'tcp_user_timeout 15000',
      'work_mem 5120',
    ]);
    await client.end();
  });
});

describe('the metrics of a pool', () => {
  it('count its connections by state, and the requests that wait for one', async () => {
    const small = createPool(database.url, logger, { max: 2 });
    const metrics = createMetrics('test');
    measurePool(metrics, small);
    const [first, second] = [await small.connect(), await small.connect()];
    const third = small.connect();
    const busy = await metrics.registry.metrics();

    first.release();
    (await third).release();
    second.release();

    const idle = await metrics.registry.metrics();
    expect(busy).toContain('db_client_connection_count{state="used",service="test"} 2');
    expect(busy).toContain('db_client_connection_pending_requests{service="test"} 1');
    expect(busy).toContain('db_client_connection_max{service="test"} 2');
    expect(idle).toContain('db_client_connection_count{state="idle",service="test"} 2');
    expect(idle).toContain('db_client_connection_pending_requests{service="test"} 0');
    await small.end();
  });
});

describe('a prepared statement', () => {
  const preparedNow = async (db: pg.Pool | pg.PoolClient, like: string) =>
    (await db.query('SELECT FROM pg_prepared_statements WHERE statement LIKE $1', [like])).rowCount;

  it('is prepared once per connection for a text, but not for a query object', async () => {
    const own = createPool(database.url, logger, { max: 1 });
    for (const name of ['a', 'b']) await own.query('SELECT 1 FROM effects WHERE name = $1', [name]);
    await own.query({ text: 'SELECT 2 FROM effects WHERE name = $1', values: ['a'] });

    expect(await preparedNow(own, 'SELECT 1 FROM effects%')).toBe(1);
    expect(await preparedNow(own, 'SELECT 2 FROM effects%')).toBe(0);
    await own.end();
  });

  it('is retried on another connection when a migration outdates it', async () => {
    const own = createPool(database.url, logger, { max: 1 });
    await own.query('CREATE TABLE changing (id integer, value text)');
    const read = () =>
      inTransaction(own, async (tx) => {
        const { rows } = await tx.query('SELECT * FROM changing WHERE id = $1', [1]);
        return rows;
      });
    await own.query(`INSERT INTO changing VALUES (1, 'one')`);
    await read();
    await pool.query('ALTER TABLE changing ADD COLUMN more integer');

    expect(await read()).toEqual([{ id: 1, value: 'one', more: null }]);
    await own.end();
  });
});

describe('inTransaction', () => {
  it('rolls back the transaction when the work fails', async () => {
    const name = randomUUID();

    const failing = inTransaction(pool, async (tx) => {
      await tx.query('INSERT INTO effects VALUES ($1)', [name]);
      throw new Error('no');
    });

    await expect(failing).rejects.toThrow('no');
    expect(await countEffects(name)).toBe(0);
  });

  it('discards a broken connection', async () => {
    const failing = inTransaction(pool, (tx) =>
      tx.query('SELECT pg_terminate_backend(pg_backend_pid())'),
    );

    await expect(failing).rejects.toThrow();
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  });
});

describe('inTransaction, with transactions in a deadlock', () => {
  it('reruns a transaction that a deadlock aborted, on the committed state', async () => {
    const [one, two] = [randomUUID(), randomUUID()];
    await pool.query(`INSERT INTO counters VALUES ($1, 0), ($2, 0)`, [one, two]);
    let holding = 0;
    const bothHold = Promise.withResolvers<void>();
    const countUp = (first: string, second: string) =>
      inTransaction(pool, async (tx) => {
        await tx.query('UPDATE counters SET n = n + 1 WHERE name = $1', [first]);
        if (++holding === 2) bothHold.resolve();
        await bothHold.promise;
        await tx.query('UPDATE counters SET n = n + 1 WHERE name = $1', [second]);
      });

    await Promise.all([countUp(one, two), countUp(two, one)]);

    const { rows } = await pool.query('SELECT n FROM counters WHERE name IN ($1, $2)', [one, two]);
    expect(rows).toEqual([{ n: 2 }, { n: 2 }]);
    expect(holding).toBe(3);
  });

  it('runs the `onCommit` callbacks of a committed transaction only once, and none of a failed transaction', async () => {
    const done: string[] = [];
    let tries = 0;

    await inTransaction(pool, async (tx) => {
      onCommit(tx, () => done.push('kept'));
      if (++tries === 1)
        await tx.query(`DO $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '40001'; END $$`);
      expect(done).toEqual([]);
    });
    const failing = inTransaction(pool, async (tx) => {
      onCommit(tx, () => done.push('lost'));
      throw new Error('no');
    });

    await expect(failing).rejects.toThrow('no');
    expect([tries, done]).toEqual([2, ['kept']]);
  });

  it('gives up a transaction after four attempts', async () => {
    let tries = 0;

    const failing = inTransaction(pool, async (tx) => {
      tries++;
      await tx.query(`DO $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '40001'; END $$`);
    });

    await expect(failing).rejects.toMatchObject({ code: '40001' });
    expect(tries).toBe(4);
  });
});

describe('the function once', () => {
  const request = (key: string | undefined, content: unknown = 'same') => ({
    key,
    scope: 'user-1',
    route: 'test',
    content,
  });
  const effect =
    (name: string) => async (tx: Parameters<Parameters<typeof inTransaction>[1]>[0]) => {
      await tx.query('INSERT INTO effects VALUES ($1)', [name]);
      return { name, at: randomUUID() };
    };

  it('runs the work of five requests with one idempotency key once, and returns the same reply to each', async () => {
    const [name, key] = [randomUUID(), randomUUID()];

    const replies = await Promise.all(
      Array.from({ length: 5 }, () => once(pool, request(key), effect(name))),
    );

    expect(new Set(replies.map((reply) => reply.at)).size).toBe(1);
    expect(await countEffects(name)).toBe(1);
  });

  it('releases the idempotency key when the work fails', async () => {
    const [name, key] = [randomUUID(), randomUUID()];
    await once(pool, request(key), async () => {
      throw new Error('first');
    }).catch(() => {});

    await once(pool, request(key), effect(name));

    expect(await countEffects(name)).toBe(1);
  });

  it('rejects an idempotency key that was used for another request', async () => {
    const key = randomUUID();
    await once(pool, request(key), effect('a'));

    await expect(once(pool, request(key, 'other'), effect('b'))).rejects.toMatchObject({
      code: 'IDEMPOTENCY_KEY_REUSED',
      status: 422,
    });
    expect(await countEffects('b')).toBe(0);
  });

  it('runs every request without an idempotency key', async () => {
    const name = randomUUID();

    await once(pool, request(undefined), effect(name));
    await once(pool, request(undefined), effect(name));

    expect(await countEffects(name)).toBe(2);
  });
});

describe('a transaction of an admin', () => {
  const caller = {
    userId: randomUUID(),
    role: 'Admin',
    accountRole: 'Admin',
    sessionId: '',
    userVersion: 0,
    expiresAtMs: 0,
    lacksSecondFactor: false,
    authenticatedAtMs: 0,
    token: '',
  } as const;
  const log = {
    add: async (act: { requestId: string }, tx?: Transaction) =>
      void (await (tx ?? pool).query('INSERT INTO effects VALUES ($1)', [
        `audit ${act.requestId}`,
      ])),
  };
  const inRequest = (method: 'GET' | 'PUT', work: (act: ActOfAdmin) => Promise<unknown>) => {
    const requestId = randomUUID();
    const route = { ...routes.setUser, method, name: 'setUser' };
    const input = { params: {}, query: {}, body: {} };
    const act = new ActOfAdmin(log, { route, caller, requestId, input });
    const context = { correlationId: requestId, causationId: null, act };
    return runInContext(context, () => work(act)).then(() => `audit ${requestId}`);
  };

  it('records a change once, in its own transaction, also after a deadlock', async () => {
    let tries = 0;
    const name = await inRequest('PUT', async (act) => {
      await inTransaction(pool, async (tx) => {
        if (tries++ === 0) throw Object.assign(new Error('deadlock'), { code: '40P01' });
        await tx.query(`INSERT INTO effects VALUES ('change')`);
      });
      await inTransaction(pool, (tx) => tx.query('SELECT 1'));
      await act.record();
    });

    expect([tries, await countEffects(name)]).toEqual([2, 1]);
  });

  it('records nothing if the change is rolled back', async () => {
    const name = await inRequest('PUT', async () => {
      const failing = inTransaction(pool, () => Promise.reject(new Error('no')));
      await expect(failing).rejects.toThrow('no');
    });

    expect(await countEffects(name)).toBe(0);
  });

  it('records an idempotent change once when the request is repeated', async () => {
    const request = { key: randomUUID(), scope: caller.userId, route: 'pay', content: {} };
    const pay = async (act: ActOfAdmin) => {
      await once(pool, request, async () => 'paid');
      await act.record();
    };

    const first = await inRequest('PUT', pay);
    const repeated = await inRequest('PUT', pay);

    expect([await countEffects(first), await countEffects(repeated)]).toEqual([1, 0]);
  });

  it('records a read outside its transaction, which may be read-only', async () => {
    const name = await inRequest('GET', async (act) => {
      await inTransaction(pool, async (tx) => {
        await tx.query('SET TRANSACTION READ ONLY');
      });
      await act.record();
    });

    expect(await countEffects(name)).toBe(1);
  });
});
