import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createLogger, createPool, inTransaction, type Pool } from '@lendtools/service-kit';
import { postgresMigrations } from '@lendtools/service-runtime';
import { createPostgresDatabase, type TestDatabase } from '@lendtools/testing';
import { type Account, type Entry, entriesOf, type Posting } from '../domain/ledger.ts';
import { migrations } from '../start-payments.ts';
import {
  findUnfollowedPayments,
  insertEntries,
  noteReading,
  readLedger,
} from './ledger-repository.ts';

let database: TestDatabase;
let pool: Pool;
let paymentId: string;
beforeAll(async () => {
  database = await createPostgresDatabase(postgresMigrations(migrations));
  pool = createPool(database.url, createLogger('test', 'silent'));
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});
beforeEach(async () => {
  paymentId = await addPayment();
});

const addPayment = async (succeededAt = 'now()'): Promise<string> => {
  const { rows } = await pool.query<{ id: string }>(
    `INSERT INTO payments (user_id, amount_cents, status, intent_id, expires_at, next_check_at, succeeded_at)
     VALUES (uuidv7(), 4200, 'succeeded', 'pi_' || uuidv7(), now(), 'infinity', ${succeededAt}) RETURNING id`,
  );
  return rows[0]?.id as string;
};

const bookingId = randomUUID();
const happenedAt = new Date('2026-11-01T12:00:00.123Z');

const move = (
  from: Account,
  to: Account,
  cents: number,
  booking: string | null = null,
): Posting => ({
  from,
  to,
  cents,
  bookingId: booking,
  ownerId: null,
});

const movement = (postings: Posting[], key = `charge:${paymentId}`): Entry[] =>
  entriesOf({ key, stripeId: 'ch_1', happenedAt }, postings);

const insert = (postings: Posting[], key?: string) =>
  insertEntries(pool, paymentId, movement(postings, key));

const charge = () => insert([move('card', 'unallocated', 4200)]);

const expected = async () => {
  const { rows } = await pool.query(
    `SELECT key, stripe_id AS "stripeId", cents, happened_at AS "happenedAt" FROM expected_transactions
     WHERE payment_id = $1 ORDER BY key`,
    [paymentId],
  );
  return rows;
};

describe('the ledger', () => {
  it('returns the entries of a payment as they were inserted', async () => {
    const entries = movement([
      move('card', 'unallocated', 4200),
      move('unallocated', 'pending', 1, bookingId),
    ]);

    await insertEntries(pool, paymentId, entries);

    expect(await readLedger(pool, paymentId)).toEqual(entries);
  });

  it.each(['UPDATE ledger SET cents = 1', 'DELETE FROM ledger'])(
    'rejects %s',
    async (statement) => {
      await charge();

      await expect(pool.query(statement)).rejects.toThrow('append-only');
      await expect(pool.query(`${statement} WHERE cents < 0`)).rejects.toThrow('append-only');
    },
  );

  it('rejects a second movement with the same key', async () => {
    await charge();

    await expect(charge()).rejects.toThrow('ledger_pkey');
    expect(await readLedger(pool, paymentId)).toHaveLength(1);
  });

  it.each([
    ['no cents', { cents: 0 }],
    ['negative cents', { cents: -1 }],
    ['an unknown account', { to: 'cash' as Account }],
    ['one account twice', { to: 'card' as Account }],
    ['line 0', { line: 0 }],
  ])('rejects an entry with %s', async (_, wrong) => {
    const [entry] = movement([move('card', 'unallocated', 4200)]) as [Entry];

    await expect(insertEntries(pool, paymentId, [{ ...entry, ...wrong }])).rejects.toThrow('check');
  });

  it.each<Account>(['unallocated', 'pending', 'available', 'commission', 'sending', 'due'])(
    'rejects a negative balance of %s',
    async (account) => {
      await expect(insert([move(account, 'card', 1, bookingId)])).rejects.toThrow(
        `The account ${account} of payment ${paymentId}`,
      );
    },
  );

  it.each<Account>(['disputes', 'losses', 'debts'])(
    'rejects a positive balance of %s',
    async (account) => {
      await expect(insert([move('card', account, 1, bookingId)])).rejects.toThrow(
        `The account ${account} of payment ${paymentId}`,
      );
    },
  );

  it("rejects taking one booking's money for another", async () => {
    await charge();
    await insert([move('unallocated', 'pending', 4200, bookingId)], `share:${paymentId}`);

    await expect(insert([move('pending', 'due', 1, randomUUID())], 'order')).rejects.toThrow(
      'The account pending',
    );
  });

  it('checks the signs after the whole statement, so its entries may come in any order', async () => {
    await insert([move('pending', 'due', 10, bookingId), move('card', 'pending', 10, bookingId)]);

    expect(await readLedger(pool, paymentId)).toHaveLength(2);
  });

  it('accepts either sign on other accounts', async () => {
    await insert([
      move('operator', 'card', 5),
      move('netting', 'bank', 5),
      move('stripe', 'fees', 5),
    ]);

    expect(await readLedger(pool, paymentId)).toHaveLength(3);
  });

  it('expects one balance transaction for a movement that crosses to the outside, however many its entries', async () => {
    await charge();
    const refund = [
      move('unallocated', 'card', 100),
      move('losses', 'card', 200),
      move('unallocated', 'pending', 300, bookingId),
    ];
    await insert(refund, `refund:${paymentId}`);

    expect(await expected()).toEqual([
      { key: `charge:${paymentId}`, stripeId: 'ch_1', cents: 4200, happenedAt },
      { key: `refund:${paymentId}`, stripeId: 'ch_1', cents: -300, happenedAt },
    ]);
  });

  it('expects none for a movement inside, or for one that a balance transaction caused', async () => {
    await insert([move('card', 'unallocated', 10)], `balance:${paymentId}`);
    await insert([move('unallocated', 'pending', 10, bookingId)], `share:${paymentId}`);

    expect(await expected()).toEqual([]);
  });

  it('is emptied by TRUNCATE, which a restore needs', async () => {
    await charge();

    await pool.query('BEGIN; TRUNCATE ledger; ROLLBACK');
  });
});

describe('noteReading', () => {
  const note = (readAt: Date) =>
    inTransaction(pool, (tx) => noteReading(tx, paymentId, { chargeId: 'ch_1', readAt }));

  it('rejects the facts of an earlier request', async () => {
    expect(await note(new Date('2026-11-01T12:00:01Z'))).toBe(true);
    expect(await note(new Date('2026-11-01T12:00:00Z'))).toBe(false);
    expect(await note(new Date('2026-11-01T12:00:02Z'))).toBe(true);
  });
});

describe('findUnfollowedPayments', () => {
  it('returns succeeded payments whose shares were not read with their terms, the oldest first, except new ones', async () => {
    const newer = await addPayment("now() - interval '1 hour'");
    const older = await addPayment("now() - interval '2 hours'");
    const followed = await addPayment("now() - interval '3 hours'");
    await pool.query('UPDATE payments SET shares_read_at = now() WHERE id = $1', [followed]);

    const found = await findUnfollowedPayments(pool, { skip: [], limit: 10 });
    const rest = await findUnfollowedPayments(pool, { skip: [older], limit: 10 });

    expect(found).toEqual([older, newer]);
    expect(rest).toEqual([newer]);
  });
});
