import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from './logging.ts';

export type Pool = pg.Pool;
export type Transaction = pg.PoolClient;
/** What a query runs on. */
export type Db = Pool | Transaction;

// Money and counts fit a double; the default string for int8 makes every sum a concatenation.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/** A pool whose statements end after 10 s, so that a stuck one can't hold a connection for ever. */
export const createPool = (connectionString: string, logger: Logger, max = 10): Pool => {
  const pool = new pg.Pool({
    connectionString,
    max,
    statement_timeout: 10_000,
    idle_in_transaction_session_timeout: 15_000,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
  });
  // A connection that breaks while idle would end the process without these listeners.
  pool.on('error', (error) => logger.warn({ err: error }, 'an idle database connection broke'));
  pool.on('connect', (client) => {
    client.on('error', (error) => logger.warn({ err: error }, 'a database connection broke'));
  });
  return pool;
};

/** A deadlock, a serialization failure: of two transactions that can't both be, the server ended this one. */
const lostToAnother = new Set<unknown>(['40P01', '40001']);
const maxTries = 4;

/**
 * Runs the work in one transaction and returns what it returns. Whatever it throws rolls back and is thrown on. A
 * transaction that was ended for another's sake is tried again, four times in all: the work must touch nothing but
 * `tx` and what it returns, because what else it did would be done twice.
 */
export const inTransaction = async <T>(
  pool: Pool,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> => {
  for (let tries = 1; ; tries++) {
    try {
      return await tryTransaction(pool, work);
    } catch (error) {
      if (tries === maxTries || !lostToAnother.has((error as { code?: string }).code)) throw error;
    }
    // At different moments, or the same two would meet again.
    await delay(Math.random() * 20 * tries);
  }
};

const waiting = new WeakMap<Transaction, (() => void)[]>();

/** Puts off what no rollback takes back, such as counting, until a transaction of `inTransaction` is committed. */
export const onCommit = (tx: Transaction, effect: () => void): void => {
  waiting.get(tx)?.push(effect);
};

/** A connection that can't even roll back is thrown away. */
const tryTransaction = async <T>(pool: Pool, work: (tx: Transaction) => Promise<T>): Promise<T> => {
  const client = await pool.connect();
  const effects: (() => void)[] = [];
  waiting.set(client, effects);
  let broken: Error | undefined;
  try {
    await client.query('BEGIN');
    const result = await work(client);
    await client.query('COMMIT');
    for (const effect of effects) effect();
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch((cause: Error) => {
      broken = cause;
    });
    throw error;
  } finally {
    client.release(broken);
  }
};

/**
 * Applies the numbered `.sql` files of each folder that were not applied yet, in order, each in one transaction. An
 * advisory lock lets several replicas start at once.
 * @throws Error that names PostgreSQL 18 where the server is older: the services' ids are its `uuidv7()`.
 */
export const migrate = async (pool: Pool, folders: Record<string, string>): Promise<void> => {
  await inTransaction(pool, async (tx) => {
    await refuseOlderServer(tx);
    await tx.query(`SELECT pg_advisory_xact_lock(hashtext('migrate'))`);
    await tx.query(`CREATE TABLE IF NOT EXISTS schema_migrations (
      name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())`);
    const { rows } = await tx.query<{ name: string }>('SELECT name FROM schema_migrations');
    const applied = new Set(rows.map((row) => row.name));
    for (const [label, folder] of Object.entries(folders)) {
      const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort();
      for (const file of files) {
        const name = `${label}/${file}`;
        if (applied.has(name)) continue;
        await tx.query(await readFile(path.join(folder, file), 'utf8'));
        await tx.query('INSERT INTO schema_migrations (name) VALUES ($1)', [name]);
      }
    }
  });
};

const refuseOlderServer = async (tx: Transaction): Promise<void> => {
  const { rows } = await tx.query<{ version: string; isOlder: boolean }>(
    `SELECT current_setting('server_version') AS version,
       current_setting('server_version_num')::int < 180000 AS "isOlder"`,
  );
  if (rows[0]?.isOlder)
    throw new Error(`LendTools needs PostgreSQL 18 or newer; this is ${rows[0].version}.`);
};
