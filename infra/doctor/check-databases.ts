import { fileURLToPath } from 'node:url';
import { oldestInOutbox, oldestPending } from '@lendtools/event-bus';
import {
  appliedMigrations,
  createLogger,
  createPool,
  listMigrations,
  type Pool,
  readJobs,
} from '@lendtools/service-kit';
import { postgresMigrations } from '@lendtools/service-runtime';
import mongoose from 'mongoose';
import { outboxes as messagingOutboxes } from '../../services/messaging/src/store/indexes.ts';
import { outboxes as notificationOutboxes } from '../../services/notifications/src/store/indexes.ts';
import {
  compareClocks,
  judgeJobs,
  judgeOutbox,
  patienceMs,
  placeOf,
  reasonOf,
  type Say,
  type Subject,
} from './finding.ts';

const silent = createLogger('doctor', 'silent');

export async function checkPostgres({ name, env }: Subject, say: Say): Promise<void> {
  const url = env.DATABASE_URL as string;
  const pool = createPool(url, silent, { max: 1, statementTimeoutMs: patienceMs });
  try {
    const requestedMs = Date.now();
    const { rows } = await pool
      .query<{ version: string; isOlder: boolean; now: Date }>(
        `SELECT current_setting('server_version') AS version, clock_timestamp() AS now,
           current_setting('server_version_num')::int < 180000 AS "isOlder"`,
      )
      .catch((error: unknown) => {
        say.wrong(
          `PostgreSQL at ${placeOf(url)} ${reasonOf(error)}`,
          'Start it, or correct DATABASE_URL.',
        );
        return { rows: [] };
      });
    const [server] = rows;
    if (!server) return;
    compareClocks(say, 'PostgreSQL', { theirs: server.now, requestedMs, answeredMs: Date.now() });
    if (server.isOlder)
      return say.wrong(`PostgreSQL is ${server.version}`, 'Upgrade it to 18 or newer.');
    say.fine(`PostgreSQL ${server.version} at ${placeOf(url)}`);
    if (!(await checkMigrations(name, pool, say))) return;
    await checkIndexes(pool, say);
    judgeOutbox(say, await oldestInOutbox(pool));
    judgeJobs(say, await readJobs(pool));
  } finally {
    await pool.end();
  }
}

async function checkMigrations(name: string, pool: Pool, say: Say): Promise<boolean> {
  const own = fileURLToPath(new URL(`../../services/${name}/migrations/`, import.meta.url));
  const known = await listMigrations(postgresMigrations(own));
  const applied = await appliedMigrations(pool).catch(() => new Set<string>());
  const pending = known.filter((migration) => !applied.has(migration.name));
  if (pending.length > 0)
    say.wrong(
      `${pending.length} of ${known.length} migrations are not applied, the first is ${pending[0]?.name}`,
      `Start this version of ${name}, which applies them. If it is running, its log shows what it waits for.`,
    );
  else say.fine(`${known.length} migrations`);
  return pending.length === 0;
}

async function checkIndexes(pool: Pool, say: Say): Promise<void> {
  const { rows } = await pool.query<{ name: string }>(
    'SELECT indexrelid::regclass::text AS name FROM pg_index WHERE NOT indisvalid',
  );
  for (const { name } of rows)
    say.wrong(
      `the index ${name} is invalid: no query uses it`,
      `REINDEX INDEX CONCURRENTLY ${name};`,
    );
}

export async function checkMongo({ name, env }: Subject, say: Say): Promise<void> {
  const url = env.MONGO_URL as string;
  const connection = mongoose.createConnection(url, {
    serverSelectionTimeoutMS: patienceMs,
    bufferCommands: false,
  });
  try {
    try {
      await connection.asPromise();
    } catch (error) {
      return say.wrong(
        `MongoDB at ${placeOf(url)} ${reasonOf(error)}`,
        'Start it, or correct MONGO_URL.',
      );
    }
    const requestedMs = Date.now();
    const greeting = await connection.db?.command({ isMaster: 1 });
    const theirs: unknown = greeting?.localTime;
    if (theirs instanceof Date)
      compareClocks(say, 'MongoDB', { theirs, requestedMs, answeredMs: Date.now() });
    say.fine(`MongoDB at ${placeOf(url)}`);
    const outboxes = name === 'messaging' ? messagingOutboxes : notificationOutboxes;
    judgeOutbox(say, await oldestPending(connection, outboxes));
  } finally {
    await connection.close();
  }
}
