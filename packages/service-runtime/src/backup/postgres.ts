import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { events, secretFields } from '@lendtools/contracts';
import {
  connectionOptions,
  type Logger,
  migrate,
  restoreMark,
  scheduleAll,
} from '@lendtools/service-kit';
import pg from 'pg';
import { readLines, writeLines } from './lines.ts';
import { type DatabaseDump, type inPostgres, migrationsOf } from './stores.ts';

type Service = (typeof inPostgres)[number];
type Row = (string | null)[];

const quoted = pg.escapeIdentifier;
const fileOf = (folder: string, table: string): string => path.join(folder, `${table}.jsonl.gz`);

const connect = async (url: string): Promise<pg.Client> => {
  const client = new pg.Client(connectionOptions(url));
  client.on('error', () => {});
  await client.connect();
  return client;
};

const batchSize = 1_000;
/** How long one attempt waits for the locks. A slow consumer delays the others at most this long. */
const lockTimeoutMs = 500;
const lockTries = 60;

/**
 * Opens snapshots of all databases while no consumer is writing. Otherwise the backup could contain the effects of an event without
 * the event itself. Locks the inboxes of all databases until each has its snapshot. Consumers wait for `lockTimeoutMs` at most;
 * requests don't wait.
 */
const openSnapshots = async (urls: Record<Service, string>): Promise<Map<Service, pg.Client>> => {
  const services = Object.keys(urls) as Service[];
  for (let tries = 1; ; tries++) {
    const opened: pg.Client[] = [];
    const open = async (service: Service): Promise<pg.Client> => {
      const client = await connect(urls[service]);
      opened.push(client);
      return client;
    };
    try {
      const locks = await Promise.all(services.map(open));
      const snapshots = await Promise.all(services.map(open));
      await Promise.all(
        locks.map((client) =>
          client.query(`BEGIN; SET LOCAL lock_timeout = ${lockTimeoutMs};
            LOCK TABLE inbox_messages IN SHARE MODE`),
        ),
      );
      await Promise.all(
        snapshots.map((client) =>
          client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SELECT 1'),
        ),
      );
      await Promise.all(locks.map((client) => client.end()));
      return new Map(services.map((service, i) => [service, snapshots[i] as pg.Client]));
    } catch (error) {
      await Promise.all(opened.map((client) => client.end()));
      // A slow consumer held the lock of its inbox. All locks are released before the next try.
      if ((error as { code?: string }).code !== '55P03' || tries === lockTries) throw error;
      await delay(1_000);
    }
  }
};

export const dumpPostgres = async (
  urls: Record<Service, string>,
  folderOf: (service: Service) => string,
): Promise<Record<Service, DatabaseDump>> => {
  const snapshots = await openSnapshots(urls);
  try {
    const dumps = {} as Record<Service, DatabaseDump>;
    for (const [service, client] of snapshots) {
      await mkdir(folderOf(service), { mode: 0o700 });
      dumps[service] = await dumpDatabase(client, folderOf(service));
    }
    return dumps;
  } finally {
    await Promise.all([...snapshots.values()].map((client) => client.end()));
  }
};

const dumpDatabase = async (client: pg.Client, folder: string): Promise<DatabaseDump> => {
  await client.query(`SET TimeZone = 'UTC'`);
  const tables = [];
  for (const { name, columns } of await listTables(client)) {
    const names = columns.map((column) => column.name);
    const rows = readTable(client, name, names);
    const count = await writeLines(fileOf(folder, name), rows, (row) => JSON.stringify(row));
    tables.push({ name, columns: names, rows: count });
  }
  const jobs = await writeLines(fileOf(folder, jobsFile), readJobs(client), (job) =>
    JSON.stringify(job),
  );
  const { rows: applied } = await client.query<{ name: string }>(
    'SELECT name FROM schema_migrations ORDER BY name',
  );
  const { rows: sequences } = await client.query<{ name: string; last: string }>(
    `SELECT sequencename AS name, last_value::text AS last FROM pg_sequences
     WHERE schemaname = 'public' AND last_value IS NOT NULL`,
  );
  return {
    migrations: applied.map(({ name }) => name),
    tables,
    jobs,
    sequences: Object.fromEntries(sequences.map(({ name, last }) => [name, Number(last)])),
  };
};

/** Reads values as PostgreSQL's text, which restores them exactly. */
const asWritten = {
  getTypeParser: () => (value: string) => value,
} as unknown as pg.CustomTypesConfig;

const readTable = async function* (
  client: pg.Client,
  table: string,
  columns: string[],
): AsyncGenerator<Row[]> {
  await client.query(
    `DECLARE read NO SCROLL CURSOR FOR SELECT ${columns.map(quoted).join(', ')} FROM ${quoted(table)}`,
  );
  for (;;) {
    const fetched = { text: `FETCH ${batchSize} FROM read`, rowMode: 'array', types: asWritten };
    const { rows } = await client.query(fetched as pg.QueryArrayConfig);
    if (rows.length === 0) break;
    yield rows as Row[];
  }
  await client.query('CLOSE read');
};

/** This name cannot clash with a table's file, because table names contain no hyphen. */
const jobsFile = 'scheduled-jobs';

type ScheduledJob = [task: string, id: string, runAt: string];

/** Reads the scheduled tasks. Periodic jobs are left out, because services add them when they start. */
const readJobs = async function* (client: pg.Client): AsyncGenerator<ScheduledJob[]> {
  await client.query(
    `DECLARE jobs NO SCROLL CURSOR FOR
     SELECT task_identifier, substr(key, length(task_identifier) + 2), run_at::text
     FROM graphile_worker.jobs WHERE starts_with(key, task_identifier || ':')`,
  );
  for (;;) {
    const { rows } = await client.query<ScheduledJob>({
      text: `FETCH ${batchSize} FROM jobs`,
      rowMode: 'array',
    });
    if (rows.length === 0) break;
    yield rows;
  }
  await client.query('CLOSE jobs');
};

interface Table {
  name: string;
  columns: { name: string; type: string }[];
}

/** Lists referenced tables first, without generated columns and without the table of migrations. */
const listTables = async (client: pg.Client): Promise<Table[]> => {
  const { rows } = await client.query<Table & { needs: string[] }>(
    `SELECT c.relname AS name,
       (SELECT json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod)) ORDER BY a.attnum)
        FROM pg_attribute a
        WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '') AS columns,
       ARRAY(SELECT DISTINCT f.relname::text FROM pg_constraint k JOIN pg_class f ON f.oid = k.confrelid
        WHERE k.conrelid = c.oid AND k.contype = 'f' AND f.oid <> c.oid) AS needs
     FROM pg_class c
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND c.relname <> 'schema_migrations'
     ORDER BY c.relname`,
  );
  const sorted = new Map<string, Table>();
  while (sorted.size < rows.length) {
    const next = rows.find(({ name, needs }) => {
      return !sorted.has(name) && needs.every((other) => sorted.has(other));
    });
    if (!next) throw new Error('Tables reference each other in a cycle');
    sorted.set(next.name, next);
  }
  return [...sorted.values()];
};

/** @throws Error if the database is not empty */
export const rejectUsedPostgres = async (service: Service, url: string): Promise<void> => {
  const client = await connect(url);
  try {
    if ((await listTables(client)).length > 0)
      throw new Error(`The database of ${service} is not empty.`);
  } finally {
    await client.end();
  }
};

/** Marks a database so that no service starts on it. */
export const markPostgres = (url: string): Promise<void> =>
  run(url, `CREATE SCHEMA IF NOT EXISTS ${restoreMark}`);

export const unmarkPostgres = (url: string): Promise<void> =>
  run(url, `DROP SCHEMA ${restoreMark}`);

const run = async (url: string, statement: string): Promise<void> => {
  const client = await connect(url);
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
};

/** Applies the dump's own migrations, then inserts its rows in one transaction. A newer service migrates at startup. */
export const restorePostgres = async (
  service: Service,
  url: string,
  { dump, folder, logger }: { dump: DatabaseDump; folder: string; logger: Logger },
): Promise<void> => {
  await migrate(url, migrationsOf(service), logger, { only: dump.migrations });
  const client = await connect(url);
  try {
    await client.query(`BEGIN; SET LOCAL TimeZone = 'UTC'`);
    const tables = await listTables(client);
    const eachTable = (change: string) =>
      client.query(tables.map(({ name }) => `ALTER TABLE ${quoted(name)} ${change}`).join('; '));
    // Remove the rows that migrations inserted, and disable triggers, which would insert rows that the dump already has.
    await client.query(`TRUNCATE ${tables.map(({ name }) => quoted(name)).join(', ')}`);
    await eachTable('DISABLE TRIGGER USER');
    for (const table of tables) await fillTable(client, table, { dump, folder });
    await scheduleAgain(client, { dump, folder });
    await eachTable('ENABLE TRIGGER USER');
    for (const [name, last] of Object.entries(dump.sequences))
      await client.query('SELECT setval($1::regclass, $2)', [quoted(name), last]);
    await publishAgain(client);
    if (service === 'accounts') await endSessions(client);
    await client.query('COMMIT');
    await client.query('ANALYZE');
  } finally {
    await client.end();
  }
};

const fillTable = async (
  client: pg.Client,
  { name, columns }: Table,
  { dump, folder }: { dump: DatabaseDump; folder: string },
): Promise<void> => {
  const dumped = dump.tables.find((table) => table.name === name);
  const names = columns.map((column) => column.name);
  if (!dumped || dumped.columns.join() !== names.join())
    throw new Error(`The backup's table ${name} has other columns than its migrations make.`);
  const statement = `INSERT INTO ${quoted(name)} (${names.map(quoted).join(', ')}) OVERRIDING SYSTEM VALUE
    SELECT ${columns.map(({ type }, i) => `c${i}::${type}`).join(', ')}
    FROM unnest(${columns.map((_, i) => `$${i + 1}::text[]`).join(', ')}) AS r (${columns.map((_, i) => `c${i}`).join(', ')})`;
  let count = 0;
  for await (const lines of readLines(fileOf(folder, name))) {
    const rows = lines.map((line) => JSON.parse(line) as Row);
    await client.query(
      statement,
      columns.map((_, i) => rows.map((row) => row[i])),
    );
    count += rows.length;
  }
  if (count !== dumped.rows)
    throw new Error(`The backup's table ${name} has ${count} rows instead of ${dumped.rows}.`);
};

const scheduleAgain = async (
  client: pg.Client,
  { dump, folder }: { dump: DatabaseDump; folder: string },
): Promise<void> => {
  let count = 0;
  for await (const lines of readLines(fileOf(folder, jobsFile))) {
    await scheduleAll(
      client,
      lines
        .map((line) => JSON.parse(line) as ScheduledJob)
        .map(([task, id, runAt]) => ({ task, id, runAt })),
    );
    count += lines.length;
  }
  if (count !== dump.jobs)
    throw new Error(`The backup has ${count} scheduled jobs instead of ${dump.jobs}.`);
};

/** These events lose their secret once they are published, so publishing them again is useless. */
const typesWithSecrets = Object.entries(events)
  .filter(([, { data }]) => secretFields.some((field) => field in data.shape))
  .map(([type]) => type);

/**
 * The broker has no backup, so published events that were not consumed are lost. All events in the outbox are published
 * again, and consumers ignore those that they have handled.
 */
const publishAgain = (client: pg.Client) =>
  client.query(
    'UPDATE outbox_messages SET published_at = NULL WHERE published_at IS NOT NULL AND type <> ALL ($1)',
    [typesWithSecrets],
  );

/** Ends all sessions: those revoked since the backup, such as on a stolen device, would become valid again. */
const endSessions = (client: pg.Client) =>
  client.query('UPDATE sessions SET ended_at = now() WHERE ended_at IS NULL');
