import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from './logging.ts';
import { inSpan } from './tracing.ts';

export type Pool = pg.Pool;
export type Transaction = pg.PoolClient;
/** A pool or a transaction, for queries that run on either. */
export type Db = Pool | Transaction;

/**
 * Column list for SELECT with camelCase aliases: `id holdId` becomes `id, hold_id AS "holdId"`. Pass the table's
 * alias if the statement joins several.
 */
export const columns = (members: string, alias?: string): string =>
  members
    .split(/\s+/)
    .map((member) => {
      const column = member.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
      return `${alias ? `${alias}.` : ''}${column}${column === member ? '' : ` AS "${member}"`}`;
    })
    .join(', ');

/** The ILIKE pattern for a literal substring search; null if nothing was typed. */
export const containing = (typed: string | null | undefined): string | null =>
  typed?.trim() ? `%${typed.trim().replace(/[\\%_]/g, '\\$&')}%` : null;

// Parses int8 as a number: money and counts fit a double, and with the default string `+` would concatenate.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/**
 * A host that vanishes does not close its connections. With these settings the server drops a client, and releases
 * its locks, after 15 s of silence. The default is two hours, or 15 minutes with unsent data.
 */
const serverKeepalives = {
  tcp_keepalives_idle: '5',
  tcp_keepalives_interval: '3',
  tcp_keepalives_count: '3',
  tcp_user_timeout: '15000',
};

/** Connection options with keepalives, so that neither end waits long for a vanished host. */
export const connectionOptions = (connectionString: string) => {
  const url = new URL(connectionString);
  const settings = Object.entries(serverKeepalives).map(([name, value]) => `-c ${name}=${value}`);
  const given = url.searchParams.get('options');
  url.searchParams.set('options', [...(given ? [given] : []), ...settings].join(' '));
  return {
    connectionString: url.toString(),
    connectionTimeoutMillis: 5_000,
    // Sends keepalive probes after 5 s of silence; Node then repeats them every second, ten times.
    keepAlive: true,
    keepAliveInitialDelayMillis: 5_000,
  };
};

/** How long to wait for a reply: slightly longer than the server's statement timeout, after which none will come. */
export const answerTimeoutMs = (statementTimeoutMs: number): number => statementTimeoutMs + 2_000;

/**
 * The most statements to prepare on a connection; a service has fewer fixed ones. The limit is for dynamically built
 * statements, because the server keeps each prepared statement.
 */
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
 * Prepares each statement that is passed as text and values once per connection, because planning a short statement
 * takes longer than running it. Pass a query object instead to plan it for its values each time.
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

/** A migration changed the result columns of a prepared statement: this connection cannot run it again. */
const isOutdated = (error: unknown): error is Error =>
  (error as { code?: string }).code === '0A000';

/**
 * Creates a pool with a 10 s statement timeout, so that a stuck statement cannot hold its connection forever. If the
 * server's host vanishes, a query fails after 12 s, or after 5 s if it needs a new connection.
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
  // Without these listeners a broken idle connection would end the process.
  pool.on('error', (error) => logger.warn({ err: error }, 'an idle database connection broke'));
  pool.on('connect', (client) => {
    client.on('error', (error) => logger.warn({ err: error }, 'a database connection broke'));
  });
  return pool;
};

/** Deadlock or serialization failure: the server aborted this transaction in favor of another. */
const lostToAnother = new Set<unknown>(['40P01', '40001']);
const maxTries = 4;

/**
 * Runs the work in one transaction. If it throws, rolls back and rethrows. After a deadlock, a serialization failure
 * or an outdated prepared statement it runs the work again, up to four times in all. So the work must have no side
 * effects outside `tx`; use `onCommit` for those.
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
    // Random delay, so that two transactions don't collide again.
    await delay(Math.random() * 20 * tries);
  }
};

const waiting = new WeakMap<Transaction, (() => void)[]>();

/** Defers an effect that a rollback cannot undo, such as counting, until the transaction has committed. */
export const onCommit = (tx: Transaction, effect: () => void): void => {
  waiting.get(tx)?.push(effect);
};

/** The driver's own error after `answerTimeoutMs`; it has no code. */
const isUnanswered = (error: unknown): error is Error =>
  error instanceof Error && error.message === 'Query read timeout';

/** Discards a connection that cannot roll back. Does not try to roll back one that did not reply. */
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
