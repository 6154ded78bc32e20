import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { connectPatiently } from './connect-patiently.ts';
import { connectionOptions } from './database.ts';
import type { Logger } from './logging.ts';

/** A file that begins so is applied statement by statement, each ended by `;` at the end of its line. */
const outsideTransaction = /^-- outside a transaction\b/;

/**
 * A statement that waits for a lock stops whatever comes after it. So it waits this long at most, lets the others
 * pass, and tries again.
 */
const lockTimeoutMs = 1_000;
const longestRestMs = 10_000;
/** Lock timeout, deadlock. */
const lockFailures = new Set<unknown>(['55P03', '40P01']);

/** A PostgreSQL schema, or MongoDB collection, from the first write of a restore to its last. */
export const restoreMark = 'half_restored';
/** For the process that would start on it. */
export const halfRestored = (): Error =>
  new Error(
    'A restore of this marketplace has failed or is under way, so only a part is there. Empty everything and restore again: docs/operations.md.',
  );

const pollMs = 500;
const tellWaitingEveryMs = 30_000;

/**
 * Applies the numbered `.sql` files of each folder that were not applied yet, in order, one replica at a time, however
 * long that takes: on a connection of its own without a statement timeout. Each file is one transaction, except for
 * those whose first line is `-- outside a transaction` (`CREATE INDEX CONCURRENTLY`): one that failed halfway is applied
 * again from its first statement, so each of them must bear a repeat.
 *
 * `only` these: the tables as they were when a backup was taken. `connectWithinMs`: how long a server is awaited that can't
 * be reached.
 * @throws Error that names one of those that this version does not have, or PostgreSQL 18 where the server is older: the services' ids are its
 *   `uuidv7()`; and, but for the restore itself, where a restore has not come to its end.
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
    await refuseOlderServer(client);
    if (!only) await refuseHalfRestored(client);
    // The last: a statement of a process that died would go on, and keep the lock, until it has something to answer.
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
  } finally {
    await client.end();
  }
};

const connect = async (connectionString: string, logger: Logger): Promise<pg.Client> => {
  const client = new pg.Client(connectionOptions(connectionString));
  client.on('error', (error) => logger.warn({ err: error }, 'the migrating connection broke'));
  try {
    await client.connect();
    return client;
  } catch (error) {
    await client.end().catch(() => {});
    throw error;
  }
};

/** The numbered files of each folder, in their order. */
export const listMigrations = async (
  folders: Record<string, string>,
): Promise<{ name: string; file: string }[]> => {
  const lists = Object.entries(folders).map(async ([label, folder]) => {
    const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort();
    return files.map((file) => ({ name: `${label}/${file}`, file: path.join(folder, file) }));
  });
  return (await Promise.all(lists)).flat();
};

/** The names of those that were applied. */
export const appliedMigrations = async (db: Pick<pg.Pool, 'query'>): Promise<Set<string>> => {
  const { rows } = await db.query<{ name: string }>('SELECT name FROM schema_migrations');
  return new Set(rows.map(({ name }) => name));
};

/**
 * The lock is the session's, and so free as soon as its process is gone. Asked for again and again, because a
 * statement that waits for it is a transaction, for whose end `CREATE INDEX CONCURRENTLY` would wait in turn.
 */
const waitForTurn = async (client: pg.Client, logger: Logger): Promise<void> => {
  for (let waitedMs = 0; ; waitedMs += pollMs) {
    const { rows } = await client.query<{ mine: boolean }>(
      `SELECT pg_try_advisory_lock(hashtext('migrate')) AS mine`,
    );
    if (rows[0]?.mine) return;
    if (waitedMs % tellWaitingEveryMs === 0)
      logger.info({ waitedMs }, 'waiting for another replica, which migrates the database');
    await delay(pollMs);
  }
};

/** Tried until it has its locks: a process that gave up would only be started again. */
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

/** These wait for locks without stopping anybody; given up halfway, they would leave an invalid index. */
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

const refuseOlderServer = async (client: pg.Client): Promise<void> => {
  const { rows } = await client.query<{ version: string; isOlder: boolean }>(
    `SELECT current_setting('server_version') AS version,
       current_setting('server_version_num')::int < 180000 AS "isOlder"`,
  );
  if (rows[0]?.isOlder)
    throw new Error(`LendTools needs PostgreSQL 18 or newer; this is ${rows[0].version}.`);
};

const refuseHalfRestored = async (client: pg.Client): Promise<void> => {
  const { rows } = await client.query<{ is: boolean }>(
    'SELECT to_regnamespace($1) IS NOT NULL AS is',
    [restoreMark],
  );
  if (rows[0]?.is) throw halfRestored();
};
