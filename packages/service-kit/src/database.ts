import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from './logging.ts';
import { inSpan } from './tracing.ts';

export type Pool = pg.Pool;
export type Transaction = pg.PoolClient;
/** What a query runs on. */
export type Db = Pool | Transaction;

/**
 * The columns of a table as the members that a row has here: `id holdId` is `id, hold_id AS "holdId"`. With the table's
 * alias where a statement names several.
 */
export const columns = (members: string, alias?: string): string =>
  members
    .split(/\s+/)
    .map((member) => {
      const column = member.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
      return `${alias ? `${alias}.` : ''}${column}${column === member ? '' : ` AS "${member}"`}`;
    })
    .join(', ');

/** The pattern of ILIKE for texts that contain what was typed, word for word; null where nothing was. */
export const containing = (typed: string | null | undefined): string | null =>
  typed?.trim() ? `%${typed.trim().replace(/[\\%_]/g, '\\$&')}%` : null;

// Money and counts fit a double; the default string for int8 makes every sum a concatenation.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/**
 * A host that vanishes closes none of its connections. The server gives up a client that it has not heard of for 15 s,
 * and its locks with it; its own default is two hours, and a quarter of one where it has something to send.
 */
const serverKeepalives = {
  tcp_keepalives_idle: '5',
  tcp_keepalives_interval: '3',
  tcp_keepalives_count: '3',
  tcp_user_timeout: '15000',
};

/** What every connection needs, so that neither end waits for long for a host that vanished. */
export const connectionOptions = (connectionString: string) => {
  const url = new URL(connectionString);
  const settings = Object.entries(serverKeepalives).map(([name, value]) => `-c ${name}=${value}`);
  const given = url.searchParams.get('options');
  url.searchParams.set('options', [...(given ? [given] : []), ...settings].join(' '));
  return {
    connectionString: url.toString(),
    connectionTimeoutMillis: 5_000,
    // After 5 s without a word; Node then asks once a second, ten times.
    keepAlive: true,
    keepAliveInitialDelayMillis: 5_000,
  };
};

/** A little longer than the server lets a statement run: after that no reply will come. */
export const answerTimeoutMs = (statementTimeoutMs: number): number => statementTimeoutMs + 2_000;

/** More statements than a service has: what is built out of parts could have any number, and each is kept by the server. */
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
 * Prepares once for each connection what is given as a text and its values: PostgreSQL takes longer to read and plan a
 * short statement than to run it. Given as one object, a statement is planned for its values each time.
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

/** A migration has changed what a prepared statement returns: its connection can't run it any more. */
const isOutdated = (error: unknown): error is Error =>
  (error as { code?: string }).code === '0A000';

/**
 * A pool whose statements end after 10 s, so that a stuck one can't hold a connection for ever. With the server's host
 * gone, a query fails after 12 s, or 5 s where it needs a new connection.
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
  // A connection that breaks while idle would end the process without these listeners.
  pool.on('error', (error) => logger.warn({ err: error }, 'an idle database connection broke'));
  pool.on('connect', (client) => {
    client.on('error', (error) => logger.warn({ err: error }, 'a database connection broke'));
  });
  return pool;
};

/** A deadlock or serialization failure: of two transactions that cannot both commit, the server ended this one. */
const lostToAnother = new Set<unknown>(['40P01', '40001']);
const maxTries = 4;

/**
 * Runs the work in one transaction and returns what it returns. Whatever it throws rolls back and is thrown on. A
 * transaction that was ended for another's sake is tried again, four times in all: the work must touch nothing but
 * `tx` and what it returns, because what else it did would be done twice.
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
    // At different moments, or the same two would meet again.
    await delay(Math.random() * 20 * tries);
  }
};

const waiting = new WeakMap<Transaction, (() => void)[]>();

/** Defers what no rollback can undo, such as counting, until a transaction of `inTransaction` is committed. */
export const onCommit = (tx: Transaction, effect: () => void): void => {
  waiting.get(tx)?.push(effect);
};

/** The driver's own error, which has no code, after `answerTimeoutMs`. */
const isUnanswered = (error: unknown): error is Error =>
  error instanceof Error && error.message === 'Query read timeout';

/** A connection that can't even roll back is discarded, and one that does not answer is not asked to. */
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
