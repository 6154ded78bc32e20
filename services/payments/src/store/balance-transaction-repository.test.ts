import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createLogger, createPool, inTransaction, type Pool } from '@lendtools/service-kit';
import { postgresMigrations } from '@lendtools/service-runtime';
import { createPostgresDatabase, type TestDatabase } from '@lendtools/testing';
import { migrations } from '../start-payments.ts';
import {
  dropUnmatchedTransactions,
  listOverdueTransactions,
  noteOpening,
} from './balance-transaction-repository.ts';

let database: TestDatabase;
let pool: Pool;
beforeAll(async () => {
  database = await createPostgresDatabase(postgresMigrations(migrations));
  pool = createPool(database.url, createLogger('test', 'silent'));
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});
beforeEach(() => pool.query('TRUNCATE expected_transactions, ledger_openings'));

const hoursAgo = (hours: number): string => new Date(Date.now() - hours * 3_600_000).toISOString();

const expectMovement = (
  key: string,
  {
    happenedAt,
    postedAt = happenedAt,
    paymentId,
  }: { happenedAt: string; postedAt?: string; paymentId?: string },
) =>
  pool.query(
    `INSERT INTO expected_transactions (key, payment_id, stripe_id, cents, happened_at, posted_at)
     VALUES ($1, $2, 'ch_1', 7, $3, $4)`,
    [key, paymentId, happenedAt, postedAt],
  );

const addPayment = async (succeededAt: string): Promise<string> => {
  const { rows } = await pool.query<{ id: string }>(
    `INSERT INTO payments (user_id, amount_cents, status, intent_id, expires_at, next_check_at, succeeded_at)
     VALUES (uuidv7(), 4200, 'succeeded', 'pi_' || uuidv7(), now(), 'infinity', $1) RETURNING id`,
    [succeededAt],
  );
  return rows[0]?.id as string;
};

const drop = (upTo: string) => inTransaction(pool, (tx) => dropUnmatchedTransactions(tx, upTo));

describe('listOverdueTransactions', () => {
  const overdue = async (upTo: string) =>
    (await listOverdueTransactions(pool, { upTo, limit: 10 })).map(({ key }) => key);

  it('returns movements that were posted six hours ago', async () => {
    await expectMovement('old', { happenedAt: hoursAgo(7) });
    await expectMovement('new', { happenedAt: hoursAgo(5) });

    expect(await overdue(hoursAgo(0))).toEqual(['old']);
  });

  it('omits a captured charge that was authorized days ago and posted just now', async () => {
    await expectMovement('captured', { happenedAt: hoursAgo(150), postedAt: hoursAgo(0) });

    expect(await overdue(hoursAgo(0))).toEqual([]);
  });

  it('omits movements that a walk of many hours has not reached', async () => {
    await expectMovement('reached', { happenedAt: hoursAgo(9) });
    await expectMovement('not reached', { happenedAt: hoursAgo(7) });

    expect(await overdue(hoursAgo(8))).toEqual(['reached']);
  });
});

describe('dropUnmatchedTransactions', () => {
  it('drops old movements, also those that were posted just now', async () => {
    const paymentId = await addPayment(hoursAgo(7));
    await expectMovement('old', { happenedAt: hoursAgo(7), postedAt: hoursAgo(0), paymentId });
    await expectMovement('new', { happenedAt: hoursAgo(5) });

    expect(await drop(hoursAgo(0))).toEqual({ cents: 7, count: 1 });
  });

  it('keeps a charge that was authorized days ago and captured just now', async () => {
    const paymentId = await addPayment(hoursAgo(0));
    await expectMovement('captured', { happenedAt: hoursAgo(150), paymentId });

    expect(await drop(hoursAgo(0))).toEqual({ cents: 0, count: 0 });
  });

  it('keeps movements that a walk of many hours has not reached', async () => {
    await expectMovement('not reached', { happenedAt: hoursAgo(7) });

    expect(await drop(hoursAgo(8))).toEqual({ cents: 0, count: 0 });
  });
});

describe('noteOpening', () => {
  it('returns the key to one of two checks that end together', async () => {
    const note = () => inTransaction(pool, noteOpening);

    const keys = await Promise.all([note(), note()]);

    expect(keys.filter(Boolean)).toEqual(['balance:opening']);
  });
});
