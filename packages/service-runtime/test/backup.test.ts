import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { serviceNames } from '@lendtools/contracts';
import {
  createLogger,
  openPictures,
  type PictureFiles,
  type PictureSettings,
  restoreMark,
} from '@lendtools/service-kit';
import {
  createBucket,
  createMongoDatabase,
  createPostgresDatabase,
  type TestDatabase,
  waitFor,
} from '@lendtools/testing';
import mongoose from 'mongoose';
import pg from 'pg';
import { backUp, restore } from '../src/backup/back-up.ts';
import { inMongo, inPostgres, migrationsOf, type Stores } from '../src/backup/stores.ts';
import { startMongoService, startPostgresService } from '../src/start-service.ts';

const options = { logger: createLogger('restore', 'silent'), emptyWith: 'empty-all' };
const owned: Pick<TestDatabase, 'drop'>[] = [];
const savedAtMs = Date.parse('2026-01-02T03:04:05Z');
let folder: string;
let live: Stores;

const newStores = async (isEmpty: boolean): Promise<Stores> => {
  const open = async (making: Promise<TestDatabase>) => {
    const database = await making;
    owned.push(database);
    return database.url;
  };
  const databases = {} as Stores['databases'];
  for (const name of inPostgres)
    databases[name] = await open(createPostgresDatabase(isEmpty ? {} : migrationsOf(name)));
  for (const name of inMongo) databases[name] = await open(createMongoDatabase());
  const bucket = await createBucket();
  owned.push(bucket);
  const inFolder = { IMAGES_DIR: path.join(folder, randomUUID()) };
  const inBucket = { S3_URL: bucket.url };
  // Restores pictures from a folder into a bucket, and the other way round.
  const pictures = isEmpty
    ? { accounts: inBucket, catalog: inFolder }
    : { accounts: inFolder, catalog: inBucket };
  return { databases, pictures };
};

const picturesIn = async (settings: PictureSettings, prefix: string): Promise<PictureFiles> =>
  (await openPictures(settings, prefix))[0];

const query = async <T extends pg.QueryResultRow>(url: string, sql: string, values?: unknown[]) => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client
    .query<T>(sql, values)
    .then(
      ({ rows }) => rows,
      (error) => {
        throw error;
      },
    )
    .finally(() => client.end());
};

const withMongo = async <T>(
  url: string,
  work: (db: mongoose.mongo.Db) => Promise<T>,
): Promise<T> => {
  const client = await new mongoose.mongo.MongoClient(url).connect();
  return work(client.db()).finally(() => client.close());
};

const addEvent = (url: string, type: string, publishedAt: string | null, id = randomUUID()) =>
  query(
    url,
    `INSERT INTO outbox_messages (id, type, aggregate_id, version, envelope, published_at)
     VALUES ($1, $2, 'a', 1, '{"data": {}}', $3)`,
    [id, type, publishedAt],
  );

interface Said {
  _id: string;
  createdAt: Date;
  place: number;
  pending: object[];
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'backup-'));
  live = await newStores(false);
  const people = live.pictures.accounts.IMAGES_DIR as string;
  await mkdir(people, { recursive: true });
  await writeFile(path.join(people, '.half'), 'a file that is being written');
  const [sam, drill] = [Buffer.from('sam'), Buffer.from('drill')];
  await (await picturesIn(live.pictures.accounts, 'people')).write(
    'people-1-640.webp',
    sam,
    savedAtMs,
  );
  await (await picturesIn(live.pictures.catalog, 'tools')).write(
    'tools-1-640.webp',
    drill,
    savedAtMs,
  );
  const { databases } = live;
  const owner = randomUUID();
  await query(
    databases.catalog,
    `INSERT INTO owners (id, first_name, lat) VALUES ($1, E'Ann\\n\\\\"{}, NULL', 30.1 + 0.2)`,
    [owner],
  );
  await query(
    databases.catalog,
    `INSERT INTO vocabulary_changes (added, removed) SELECT ARRAY['drill' || n, NULL], '{}' FROM generate_series(1, 2500) n`,
  );
  await query(
    databases.catalog,
    `WITH category AS (INSERT INTO categories (id, name) VALUES ($1, 'Drills') RETURNING id)
     INSERT INTO tools (id, owner_id, category_id, name, description, price_cents, rental_circle, units, place, created_at, listed_at)
     SELECT $1, $2, id, 'Cordless drill', '', 100, 'daily', 1, ll_to_earth(30.1, -97.7), now(), now() FROM category`,
    [randomUUID(), owner],
  );
  await query(
    databases.accounts,
    `WITH person AS (INSERT INTO users
       (user_name, first_name, last_name, email, phone, password_hash, country, state, city, address, lat, lng, time_zone)
       VALUES ('ann', 'Ann', 'Lee', 'ann@example.com', '', '', '', '', '', '', 0, 0, 'UTC') RETURNING id)
     INSERT INTO sessions (user_id, expires_at, access_until)
       SELECT id, '2100-01-01T00:00:00Z', '2100-01-01T00:00:00Z' FROM person`,
  );
  await query(
    databases.bookings,
    `SELECT graphile_worker.add_job('expire-hold', '"h1"', run_at => '2100-01-01T00:00:00.123456Z', job_key => 'expire-hold:h1')`,
  );
  await addEvent(databases.payments, 'PaymentSucceeded', '2026-01-01T00:00:00.123456Z');
  await addEvent(databases.accounts, 'PasswordResetRequested', '2026-01-01T00:00:00Z');
  await addEvent(databases.accounts, 'AccountUpdated', null);
  await withMongo(databases.messaging, async (db) => {
    const said = { createdAt: new Date(1_700_000_000_000), place: 3 };
    await db.collection<Said>('messages').insertMany([
      { _id: 'm1', ...said, pending: [] },
      { _id: 'm2', ...said, pending: [{ id: 'e2' }] },
    ]);
    await db.collection<{ _id: string }>('published_events').insertMany(
      ['e1', 'e2'].map((_id, i) => ({
        _id,
        collection: 'messages',
        document: `m${i + 1}`,
        event: { id: _id },
      })),
    );
  });
});

afterAll(async () => {
  // One after another: on a busy machine, S3 does not answer fourteen requests at once within its five seconds.
  for (const each of owned) await each.drop();
  await rm(folder, { recursive: true });
});

/** Returns the rows of each table in PostgreSQL's text format. */
const contentOf = async (url: string): Promise<Record<string, string[]>> => {
  const tables = await query<{ name: string }>(
    url,
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
       AND relname NOT IN ('schema_migrations', 'outbox_messages', 'sessions')`,
  );
  const rows = await Promise.all(
    tables.map(async ({ name }) => {
      const found = await query<{ row: string }>(
        url,
        `SELECT t::text AS row FROM ${name} t ORDER BY 1`,
      );
      return [name, found.map(({ row }) => row)];
    }),
  );
  return Object.fromEntries(rows);
};

describe('restore', () => {
  let restored: Stores;
  const to = (): string => path.join(folder, 'whole');

  beforeAll(async () => {
    await backUp(live, to());
    restored = await newStores(true);
    await restore(restored, to(), options);
  });

  it.each(inPostgres)(
    'restores every row of %s, including those that its migrations inserted',
    async (name) => {
      expect(await contentOf(restored.databases[name])).toEqual(
        await contentOf(live.databases[name]),
      );
    },
  );

  it('schedules the same tasks again', async () => {
    const jobs = `SELECT key, run_at::text, payload #>> '{}' AS id FROM graphile_worker._private_jobs`;
    const [job] = await query<{ key: string; id: string }>(restored.databases.bookings, jobs);

    expect(job).toMatchObject({ key: 'expire-hold:h1', id: 'h1' });
    expect([job]).toEqual(await query(live.databases.bookings, jobs));
  });

  it('continues the database sequences where the backup ended', async () => {
    const [next] = await query(
      restored.databases.catalog,
      `INSERT INTO vocabulary_changes (added, removed) VALUES ('{}', '{}') RETURNING id::int`,
    );

    expect(next).toEqual({ id: 2502 });
  });

  it('makes services publish all events of the backup again, except those with a secret', async () => {
    const sql = 'SELECT type, published_at IS NULL AS waits FROM outbox_messages ORDER BY type';

    expect(await query(restored.databases.payments, sql)).toEqual([
      { type: 'PaymentSucceeded', waits: true },
    ]);
    expect(await query(restored.databases.accounts, sql)).toEqual([
      { type: 'AccountUpdated', waits: true },
      { type: 'PasswordResetRequested', waits: false },
    ]);
  });

  it('restores every document, and makes each published event pending again, without duplicates', async () => {
    const said = await withMongo(restored.databases.messaging, (db) =>
      db.collection<Said>('messages').find().sort({ _id: 1 }).toArray(),
    );

    const createdAt = new Date(1_700_000_000_000);
    expect(said).toEqual([
      { _id: 'm1', createdAt, place: 3, pending: [{ id: 'e1' }] },
      { _id: 'm2', createdAt, place: 3, pending: [{ id: 'e2' }] },
    ]);
  });

  it('ends every session that it restores', async () => {
    const sessions = await query(
      restored.databases.accounts,
      `SELECT ended_at > now() - interval '1 hour' AS "isOver", expires_at FROM sessions`,
    );

    expect(sessions).toEqual([{ isOver: true, expires_at: new Date('2100-01-01') }]);
  });

  it('restores the pictures with their upload times, and no partial ones', async () => {
    const people = await picturesIn(restored.pictures.accounts, 'people');
    const tools = await picturesIn(restored.pictures.catalog, 'tools');

    expect(await people.read('people-1-640.webp')).toEqual({
      content: Buffer.from('sam'),
      savedAtMs,
    });
    expect(await tools.read('tools-1-640.webp')).toEqual({
      content: Buffer.from('drill'),
      savedAtMs,
    });
    expect(await people.read('.half')).toBeUndefined();
  });

  it('leaves databases on which the services start', async () => {
    const inPostgresOnes = inPostgres.map((name) =>
      query(restored.databases[name], 'SELECT to_regnamespace($1) AS mark', [restoreMark]),
    );
    const inMongoOnes = inMongo.map((name) =>
      withMongo(restored.databases[name], (db) => db.collection(restoreMark).countDocuments()),
    );

    expect((await Promise.all(inPostgresOnes)).flat()).toEqual(
      inPostgres.map(() => ({ mark: null })),
    );
    expect(await Promise.all(inMongoOnes)).toEqual([0, 0]);
  });

  it('restores nothing into databases that are not empty', async () => {
    const begins = jest.fn(async () => {});

    await expect(restore(restored, to(), { ...options, begins })).rejects.toThrow(
      'The database of accounts is not empty. Nothing was written. If a restore has failed before, empty everything first: empty-all',
    );

    expect(begins).not.toHaveBeenCalled();
  });
});

const build = () => ({ routes: [], consumers: [] });

/** Starts just enough of a service for its startup checks. */
const startOn = (name: (typeof serviceNames)[number], url: string) => {
  const config = {
    HOST: '127.0.0.1',
    PORT: 0,
    LOG_LEVEL: 'silent',
    PURGE_INTERVAL_MINUTES: 10,
    ...({ AMQP_URL: 'amqp://127.0.0.1:1', AMQP_DECLARES: 'own', CHECK_REPLIES: true } as const),
    ACCOUNTS_URL: [],
    OTEL_TRACES_SAMPLER_ARG: 1,
  };
  return url.startsWith('mongodb')
    ? startMongoService(name, { ...config, MONGO_URL: url }, { outboxes: [], indexes: {}, build })
    : startPostgresService(
        name,
        { ...config, DATABASE_URL: url },
        { migrations: migrationsOf(name as 'accounts').service as string, build },
      );
};

/** Runs the work before the second of the two collections is read. */
const betweenReadsOf = (names: [string, string], work: () => Promise<unknown>): void => {
  const cursors = mongoose.mongo.AbstractCursor.prototype;
  const read = cursors[Symbol.asyncIterator];
  let count = 0;
  jest.spyOn(cursors, Symbol.asyncIterator).mockImplementation(async function* (
    this: mongoose.mongo.AbstractCursor,
  ) {
    if (names.includes(this.namespace.collection ?? '') && ++count === 2) await work();
    yield* read.call(this);
  });
};

/** Waits until the backup waits for the inbox lock of the bookings service. */
const waitForItsLock = (): Promise<unknown> =>
  waitFor('the backup to wait', async () => {
    const waiting = await query(
      live.databases.bookings,
      `SELECT 1 FROM pg_locks WHERE mode = 'ShareLock' AND NOT granted AND relation = 'inbox_messages'::regclass
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    );
    return waiting.length > 0;
  });

describe('backUp and restore', () => {
  afterEach(() => void jest.restoreAllMocks());

  it('include an event that is published between the reads of its document and of the published events', async () => {
    const to = path.join(folder, 'published');
    const { messaging } = live.databases;
    const said = { _id: 'r1', createdAt: new Date(), place: 4, pending: [{ id: 'e3' }] };
    const note = { _id: 'e3', collection: 'replies', document: 'r1', event: { id: 'e3' } };
    await withMongo(messaging, (db) => db.collection<Said>('replies').insertOne(said));
    betweenReadsOf(['replies', 'published_events'], () =>
      withMongo(messaging, async (db) => {
        await db.collection<{ _id: string }>('published_events').insertOne(note);
        await db.collection<Said>('replies').updateOne({ _id: 'r1' }, { $set: { pending: [] } });
      }),
    );

    await backUp(live, to);

    const restored = await newStores(true);
    await restore(restored, to, options);
    const replies = await withMongo(restored.databases.messaging, (db) =>
      db.collection<Said>('replies').find().toArray(),
    );
    expect(replies).toEqual([said]);
  });

  it('include the notice that an email refers to', async () => {
    const to = path.join(folder, 'noticed');
    const { notifications } = live.databases;
    const add = (name: string, _id: string) =>
      withMongo(notifications, (db) => db.collection<{ _id: string }>(name).insertOne({ _id }));
    await add('notices', 'n1');
    await add('emails', 'm1');
    betweenReadsOf(['notices', 'emails'], async () => {
      await add('notices', 'n2');
      await add('emails', 'm2');
    });

    const { mongo } = await backUp(live, to);

    expect(mongo.notifications).toMatchObject({ emails: 1, notices: 2 });
  });

  it('wait for a running consumer, and include the event that it consumed', async () => {
    const to = path.join(folder, 'during');
    const event = randomUUID();
    const consumer = new pg.Client({ connectionString: live.databases.bookings });
    await consumer.connect();
    await consumer.query('BEGIN');
    const note = 'INSERT INTO inbox_messages (queue, event_id) VALUES ($1, $2)';
    await consumer.query(note, ['q', randomUUID()]);

    const underWay = backUp(live, to);
    await waitForItsLock();
    await addEvent(live.databases.payments, 'PaymentSucceeded', null, event);
    await consumer.query(note, ['q', event]);
    await consumer.query('COMMIT');
    await consumer.end();
    await underWay;

    const restored = await newStores(true);
    await restore(restored, to, options);
    const known = await query(
      restored.databases.payments,
      'SELECT 1 FROM outbox_messages WHERE id = $1',
      [event],
    );
    const consumed = await query(
      restored.databases.bookings,
      'SELECT 1 FROM inbox_messages WHERE event_id = $1',
      [event],
    );
    expect([known.length, consumed.length]).toEqual([1, 1]);
  });

  it('pause the other consumers only briefly, even if one consumer is slow', async () => {
    const consumer = new pg.Client({ connectionString: live.databases.bookings });
    await consumer.connect();
    const note = `INSERT INTO inbox_messages (queue, event_id) VALUES ('q', '${randomUUID()}')`;
    await consumer.query(`BEGIN; ${note}`);
    const underWay = backUp(live, path.join(folder, 'slow'));
    await waitForItsLock();

    const other = query(live.databases.payments, `SET statement_timeout = '2500ms'; ${note}`);

    await other.finally(() => consumer.end());
    await underWay;
  });

  it('reject a truncated backup, and prevent services from starting on the partly restored stores', async () => {
    const to = path.join(folder, 'cut-off');
    await backUp(live, to);
    await truncate(path.join(to, 'catalog', 'vocabulary_changes.jsonl.gz'), 5_000);
    const part = await newStores(true);

    const begins = jest.fn(async () => {});
    await expect(restore(part, to, { ...options, begins })).rejects.toThrow(
      /unexpected end.*\n.*empty everything before the next try: empty-all/,
    );

    expect(begins).toHaveBeenCalledTimes(1);
    for (const name of [...inPostgres, ...inMongo])
      await expect(startOn(name, part.databases[name])).rejects.toThrow('only a part is there');
  });

  it('reject a backup without its manifest', async () => {
    const to = path.join(folder, 'no-end');
    await backUp(live, to);
    await rm(path.join(to, 'manifest.json'));

    await expect(restore(await newStores(true), to, options)).rejects.toThrow('no complete backup');
  });

  it('name the migration that a backup of a newer version needs', async () => {
    const to = path.join(folder, 'later');
    const manifest = await backUp(live, to);
    manifest.postgres.accounts.migrations.push('service/9999_later.sql');
    await writeFile(path.join(to, 'manifest.json'), JSON.stringify(manifest));

    await expect(restore(await newStores(true), to, options)).rejects.toThrow(
      'This version has no migration service/9999_later.sql',
    );
  });
});
