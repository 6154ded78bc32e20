import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { currentContext } from './context.ts';
import type { Logger } from './logging.ts';
import { inSpan } from './tracing.ts';

export type Pool = pg.Pool;
export type Transaction = pg.PoolClient;
export type Db = Pool | Transaction;

/** SELECT list with camelCase aliases: `id holdId` becomes `id, hold_id AS "holdId"`. */
export const columns = (members: string, alias?: string): string =>
  members
    .split(/\s+/)
    .map((member) => {
      const column = member.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
      return `${alias ? `${alias}.` : ''}${column}${column === member ? '' : ` AS "${member}"`}`;
    })
    .join(', ');

/** Returns an ILIKE pattern that matches the literal text anywhere; null for an empty search. */
export const containing = (typed: string | null | undefined): string | null =>
  typed?.trim() ? `%${typed.trim().replace(/[\\%_]/g, '\\$&')}%` : null;

/** The database's time, which all replicas share. In a transaction, the time of its start. */
export const databaseNow = async (db: Db): Promise<Date> => {
  const { rows } = await db.query<{ now: Date }>('SELECT now()');
  return rows[0]?.now as Date;
};

/** The database's time at this moment, also within a transaction: for checks after waiting for a lock. */
export const databaseClock = async (db: Db): Promise<Date> => {
  const { rows } = await db.query<{ now: Date }>('SELECT clock_timestamp() AS now');
  return rows[0]?.now as Date;
};

// Returns int8 as a number, because the default is a string that `+` would concatenate. Money and counts fit a double.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/** With these settings the server drops the connections of a vanished host after 15 s of silence, not two hours. */
const serverKeepalives = {
  tcp_keepalives_idle: '5',
  tcp_keepalives_interval: '3',
  tcp_keepalives_count: '3',
  tcp_user_timeout: '15000',
};

export const connectionOptions = (connectionString: string) => {
  const url = new URL(connectionString);
  const settings = Object.entries(serverKeepalives).map(([name, value]) => `-c ${name}=${value}`);
  const given = url.searchParams.get('options');
  url.searchParams.set('options', [...(given ? [given] : []), ...settings].join(' '));
  return {
    connectionString: url.toString(),
    connectionTimeoutMillis: 5_000,
    // Sends a keepalive probe after 5 s of silence. Node then repeats it every second, ten times.
    keepAlive: true,
    keepAliveInitialDelayMillis: 5_000,
  };
};

/** Slightly longer than the server's statement timeout: if no reply has come by then, none will. */
export const answerTimeoutMs = (statementTimeoutMs: number): number => statementTimeoutMs + 2_000;

/** Limits statements that are built dynamically: a connection keeps every statement that it has prepared. */
const mostPrepared = 400;
const preparedNames = new Map<string, string>();

const nameOf = (text: string): string | undefined => {
  const known = preparedNames.get(text);
  if (known || preparedNames.size >= mostPrepared) return known;
  const name = `s${preparedNames.size}`;
  preparedNames.set(text, name);
  return name;
};

/**
 * Prepares each text statement once per connection, because planning a short statement takes longer than running it.
 * Pass a query object instead to let the server plan for its values each time.
 */
class PreparingClient extends pg.Client {
  // biome-ignore lint/suspicious/noExplicitAny: the driver's own overloads, passed on.
  override query(...[text, values, ...rest]: any[]): any {
    const query = super.query.bind(this) as (...input: unknown[]) => unknown;
    return typeof text === 'string' && Array.isArray(values)
      ? query({ name: nameOf(text), text, values }, ...rest)
      : query(text, values, ...rest);
  }
}

/** True if a migration changed the result columns of a prepared statement, so that this connection cannot run it again. */
const isOutdated = (error: unknown): error is Error =>
  (error as { code?: string }).code === '0A000';

/**
 * A stuck statement ends after 10 s, so that it cannot hold its connection forever. If the server's host vanishes, a
 * query fails after 12 s, or after 5 s if it needs a new connection.
 */
export const createPool = (
  connectionString: string,
  logger: Logger,
  { max = 10, statementTimeoutMs = 10_000 } = {},
): Pool => {
  const pool = new pg.Pool({
    ...connectionOptions(connectionString),
    Client: PreparingClient,
    max,
    statement_timeout: statementTimeoutMs,
    query_timeout: answerTimeoutMs(statementTimeoutMs),
    idle_in_transaction_session_timeout: 15_000,
    idleTimeoutMillis: 30_000,
  });
  // Without these listeners a broken idle connection would crash the process.
  pool.on('error', (error) => logger.warn({ err: error }, 'an idle database connection broke'));
  pool.on('connect', (client) => {
    client.on('error', (error) => logger.warn({ err: error }, 'a database connection broke'));
  });
  return pool;
};

/** Deadlock and serialization failure: the server aborted this transaction in favor of another. */
const lostToAnother = new Set<unknown>(['40P01', '40001']);
const maxTries = 4;

/**
 * Runs the work in one transaction, up to four times if a deadlock, a serialization failure or an outdated prepared
 * statement aborts it. So the work must have no side effects outside `tx`; use `onCommit` for those.
 */
export const inTransaction = <T>(pool: Pool, work: (tx: Transaction) => Promise<T>): Promise<T> => {
  const attributes = { 'db.system.name': 'postgresql' };
  return inSpan({ name: 'transaction', kind: 'client', attributes }, () =>
    tryTransactions(pool, work),
  );
};

const tryTransactions = async <T>(
  pool: Pool,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> => {
  for (let tries = 1; ; tries++) {
    try {
      return await tryTransaction(pool, work);
    } catch (error) {
      const mayTry = lostToAnother.has((error as { code?: string }).code) || isOutdated(error);
      if (tries === maxTries || !mayTry) throw error;
    }
    await delay(Math.random() * 20 * tries);
  }
};

const waiting = new WeakMap<Transaction, (() => void)[]>();

/** Runs the effect once the transaction has committed. For effects that a rollback could not undo. */
export const onCommit = (tx: Transaction, effect: () => void): void => {
  waiting.get(tx)?.push(effect);
};

/** Compares the message, because the pg client's own timeout error has no code. */
const isUnanswered = (error: unknown): error is Error =>
  error instanceof Error && error.message === 'Query read timeout';

/** Runs the work in one transaction. Discards the connection if it cannot roll back or did not reply. */
const tryTransaction = async <T>(pool: Pool, work: (tx: Transaction) => Promise<T>): Promise<T> => {
  const client = await pool.connect();
  const effects: (() => void)[] = [];
  waiting.set(client, effects);
  let broken: Error | undefined;
  const act = currentContext()?.act;
  let isRecorded = false;
  try {
    await client.query('BEGIN');
    const result = await work(client);
    isRecorded = (await act?.addTo(client)) ?? false;
    await client.query('COMMIT');
    if (isRecorded) act?.settle(true);
    for (const effect of effects) effect();
    return result;
  } catch (error) {
    if (isRecorded) act?.settle(false);
    if (isUnanswered(error) || isOutdated(error)) broken = error;
    else
      await client.query('ROLLBACK').catch((cause: Error) => {
        broken = cause;
      });
    throw error;
  } finally {
    client.release(broken);
  }
};
