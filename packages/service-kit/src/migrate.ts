import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { connectPatiently } from './connect-patiently.ts';
import { connectionOptions } from './database.ts';
import type { Logger } from './logging.ts';
import { migrateWorker } from './worker.ts';

/** Marks a file whose statements run one by one. Each ends with `;` at the end of a line. */
const outsideTransaction = /^-- outside a transaction\b/;

/** A statement that waits for a table lock blocks all later ones. So it gives up after this time, then tries again. */
const lockTimeoutMs = 1_000;
const longestRestMs = 10_000;
const lockFailures = new Set<unknown>(['55P03', '40P01']);

/** The PostgreSQL schema or MongoDB collection that exists while a restore is unfinished. */
export const restoreMark = 'half_restored';
export const halfRestored = (): Error =>
  new Error(
    'A restore of this marketplace has failed or is under way, so only a part is there. Empty everything and restore again: docs/operations.md.',
  );

const pollMs = 500;
const logWaitingEveryMs = 30_000;

/**
 * Applies the new `.sql` files of each folder, then graphile-worker's migrations, in order and on one replica at a
 * time. Has no statement timeout. Each file is one transaction, unless it begins with `-- outside a transaction`: all
 * statements of such a file run again after a failure, so they must be repeatable.
 *
 * `only`: applies just these, to restore a backup of an older version. `connectWithinMs`: how long to retry while the
 * server is unreachable.
 * @throws Error if one of `only` is missing, a restore is unfinished, or PostgreSQL is older than 18 (ids use
 *   `uuidv7()`)
 */
export const migrate = async (
  connectionString: string,
  folders: Record<string, string>,
  logger: Logger,
  { only, connectWithinMs }: { only?: string[]; connectWithinMs?: number } = {},
): Promise<void> => {
  const client = await connectPatiently(
    () => connect(connectionString, logger),
    logger,
    connectWithinMs,
  );
  try {
    await rejectOlderServer(client);
    if (!only) await rejectHalfRestored(client);
    // If this process dies, the server notices at the next connection check, cancels the statement and releases the lock.
    await client.query(`SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0;
      SET client_connection_check_interval = '1s'`);
    await waitForTurn(client, logger);
    await client.query(`CREATE TABLE IF NOT EXISTS schema_migrations (
      name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())`);
    const applied = await appliedMigrations(client);
    const files = await listMigrations(folders);
    const unknown = only?.find((wanted) => !files.some(({ name }) => name === wanted));
    if (unknown) throw new Error(`This version has no migration ${unknown}: use a later one.`);
    for (const { name, file } of files) {
      if (applied.has(name) || only?.includes(name) === false) continue;
      const sql = await readFile(file, 'utf8');
      logger.info({ migration: name }, 'migrating');
      if (outsideTransaction.test(sql)) await applyStatements(client, { name, sql });
      else await applyInTransaction(client, { name, sql, logger });
    }
    await migrateWorker(connectionString, logger);
  } finally {
    await client.end();
  }
};

const connect = async (connectionString: string, logger: Logger): Promise<pg.Client> => {
  const client = new pg.Client(connectionOptions(connectionString));
  client.on('error', (error) => logger.warn({ err: error }, 'the migration connection broke'));
  try {
    await client.connect();
    return client;
  } catch (error) {
    await client.end().catch(() => {});
    throw error;
  }
};

export const listMigrations = async (
  folders: Record<string, string>,
): Promise<{ name: string; file: string }[]> => {
  const lists = Object.entries(folders).map(async ([label, folder]) => {
    const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort();
    return files.map((file) => ({ name: `${label}/${file}`, file: path.join(folder, file) }));
  });
  return (await Promise.all(lists)).flat();
};

export const appliedMigrations = async (db: Pick<pg.Pool, 'query'>): Promise<Set<string>> => {
  const { rows } = await db.query<{ name: string }>('SELECT name FROM schema_migrations');
  return new Set(rows.map(({ name }) => name));
};

/**
 * Polls for a session lock, because waiting for it in a transaction would deadlock with `CREATE INDEX CONCURRENTLY`.
 */
const waitForTurn = async (client: pg.Client, logger: Logger): Promise<void> => {
  for (let waitedMs = 0; ; waitedMs += pollMs) {
    const { rows } = await client.query<{ mine: boolean }>(
      `SELECT pg_try_advisory_lock(hashtext('migrate')) AS mine`,
    );
    if (rows[0]?.mine) return;
    if (waitedMs % logWaitingEveryMs === 0)
      logger.info({ waitedMs }, 'waiting for another replica to migrate the database');
    await delay(pollMs);
  }
};

/** Retries until it gets its locks, because giving up would only restart the process. */
const applyInTransaction = async (
  client: pg.Client,
  { name, sql, logger }: { name: string; sql: string; logger: Logger },
): Promise<void> => {
  for (let restMs = lockTimeoutMs; ; restMs = Math.min(2 * restMs, longestRestMs)) {
    try {
      await client.query('BEGIN');
      await client.query(`SET LOCAL lock_timeout = ${lockTimeoutMs}`);
      await client.query(sql);
      await noteApplied(client, name);
      await client.query('COMMIT');
      return;
    } catch (error) {
      await client.query('ROLLBACK');
      if (!lockFailures.has((error as { code?: string }).code)) throw error;
      logger.warn({ err: error, migration: name, restMs }, 'a migration waits for a lock');
    }
    await delay(restMs);
  }
};

/** Has no lock timeout: these statements block no others, and a timeout would leave an invalid index behind. */
const applyStatements = async (
  client: pg.Client,
  { name, sql }: { name: string; sql: string },
): Promise<void> => {
  await client.query('SET lock_timeout = 0');
  for (const statement of sql.split(/;\s*$/m)) {
    if (statement.trim()) await client.query(statement);
  }
  await noteApplied(client, name);
};

const noteApplied = (client: pg.Client, name: string) =>
  client.query('INSERT INTO schema_migrations (name) VALUES ($1)', [name]);

const rejectOlderServer = async (client: pg.Client): Promise<void> => {
  const { rows } = await client.query<{ version: string; isOlder: boolean }>(
    `SELECT current_setting('server_version') AS version,
       current_setting('server_version_num')::int < 180000 AS "isOlder"`,
  );
  if (rows[0]?.isOlder)
    throw new Error(`LendTools needs PostgreSQL 18 or newer; this is ${rows[0].version}.`);
};

const rejectHalfRestored = async (client: pg.Client): Promise<void> => {
  const { rows } = await client.query<{ is: boolean }>(
    'SELECT to_regnamespace($1) IS NOT NULL AS is',
    [restoreMark],
  );
  if (rows[0]?.is) throw halfRestored();
};
