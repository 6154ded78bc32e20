import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLogger, createPool, type Pool } from '@lendtools/service-kit';
import { postgresMigrations } from '@lendtools/service-runtime';
import { createPostgresDatabase, type TestDatabase } from '@lendtools/testing';
import fc from 'fast-check';
import { earnedMoneyOf } from '../domain/earnings.ts';
import type { Posting } from '../domain/ledger.ts';
import { spanOfMonth } from '../domain/month.ts';
import {
  balancesOfShare,
  giveToShare,
  type KeyedPosting,
  releaseShare,
  reverseShare,
  type Share,
  takeFromShare,
  transferShare,
} from '../domain/share.ts';
import { migrations } from '../start-payments.ts';
import { listLines, listMonths, readEarnings, sumMonth } from './earnings-repository.ts';

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

const part = fc.double({ min: 0.01, max: 1, noNaN: true });
const step = fc.record({
  kind: fc.constantFrom('release', 'refund', 'restore', 'send', 'reverse', 'write-off', 'wait'),
  part,
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const months = ['2026-01', '2026-02', '2026-03', '2026-04', '2026-05', '2026-06'];

interface Entry extends KeyedPosting {
  key: string;
  month: number;
}

/** What happens to a share of $40, one movement in each step. A step that is impossible does nothing. */
const play = (share: Share, happened: Step[]): { entries: Entry[]; refundedCents: number } => {
  const { bookingId, ownerId } = share;
  const entries: Entry[] = [];
  let month = 0;
  let refundedCents = 0;
  const post = (name: string, postings: Posting[]): void => {
    const key = `${name}:${bookingId}:${entries.length}`;
    entries.push(...postings.map((posting) => ({ ...posting, key, month })));
  };
  const move = (from: Posting['from'], to: Posting['to'], cents: number): Posting[] => [
    { from, to, cents, bookingId, ownerId },
  ];
  const cut = (cents: number, { part: portion }: Step) => Math.ceil(cents * portion);
  const steps: Record<Step['kind'], (one: Step) => void> = {
    wait: () => {
      month = Math.min(month + 1, months.length - 1);
    },
    release: () => post('release', releaseShare(entries, share)),
    refund(one) {
      const cents = cut(share.cents - refundedCents, one);
      const taken = takeFromShare(entries, share, { cents, to: 'due' });
      post('order', [...taken, ...move('due', 'card', cents)]);
      refundedCents += cents;
    },
    restore(one) {
      const cents = cut(refundedCents, one);
      post('outside', giveToShare(entries, share, { cents, from: 'card' }));
      refundedCents -= cents;
    },
    send() {
      const cents = balancesOfShare(entries, bookingId).available;
      post('transfer', move('available', 'sending', cents));
      post('transfer', transferShare(entries, share, { cents, sendingCents: cents }));
    },
    reverse(one) {
      const { owner } = balancesOfShare(entries, bookingId);
      post('reversal', reverseShare(entries, share, cut(owner, one)));
    },
    'write-off': () =>
      post('write-off', move('losses', 'debts', -balancesOfShare(entries, bookingId).debts)),
  };
  post('charge', move('card', 'unallocated', share.cents));
  post('share', move('unallocated', 'pending', share.cents));
  for (const one of happened) steps[one.kind](one);
  return { entries: entries.filter(({ cents }) => cents > 0), refundedCents };
};

const insert = async (entries: Entry[]): Promise<void> => {
  const { rows } = await pool.query<{ id: string }>(
    `INSERT INTO payments (user_id, amount_cents, status, expires_at, next_check_at, succeeded_at)
     VALUES (uuidv7(), 4000, 'succeeded', now(), 'infinity', now()) RETURNING id`,
  );
  await pool.query(
    `INSERT INTO ledger (payment_id, key, line, from_account, to_account, cents, booking_id, owner_id, stripe_id, happened_at, posted_at)
     SELECT $1, key, row_number() OVER (PARTITION BY key ORDER BY n), from_account, to_account, cents, booking_id, owner_id, 'x', at, at
     FROM unnest($2::text[], $3::text[], $4::text[], $5::int[], $6::uuid[], $7::uuid[], $8::timestamptz[])
       WITH ORDINALITY entries (key, from_account, to_account, cents, booking_id, owner_id, at, n)`,
    [
      rows[0]?.id,
      entries.map(({ key }) => key),
      entries.map(({ from }) => from),
      entries.map(({ to }) => to),
      entries.map(({ cents }) => cents),
      entries.map(({ bookingId }) => bookingId),
      entries.map(({ ownerId }) => ownerId),
      entries.map(({ month }) => `${months[month]}-15T12:00:00Z`),
    ],
  );
};

const terms = fc.constantFrom(
  null,
  { percent: 0, fixedCents: 0 },
  { percent: 7.25, fixedCents: 30 },
  { percent: 100, fixedCents: 0 },
);

const sum = (all: number[]) => all.reduce((one, other) => one + other, 0);

describe('the earnings of an owner', () => {
  it('agree by booking, by month and line by line, whatever happened', async () => {
    const bookings = fc.array(fc.tuple(terms, fc.array(step, { maxLength: 25, size: 'max' })), {
      minLength: 1,
      maxLength: 3,
    });
    await fc.assert(
      fc.asyncProperty(bookings, async (given) => {
        const ownerId = randomUUID();
        const played = given.map(([terms, happened]) => {
          const share = { bookingId: randomUUID(), ownerId, cents: 4_000, terms };
          return { share, ...play(share, happened) };
        });
        for (const { entries } of played) await insert(entries);

        const range = { before: null, limit: 10, when: undefined, withAll: true };
        const { page, all } = await readEarnings(pool, ownerId, range);
        const money = page.map((row) => {
          const one = played.find(({ share }) => share.bookingId === row.bookingId);
          const shown = earnedMoneyOf(row, one?.share.terms ?? null);
          expect(shown.refundedCents).toBe(one?.refundedCents);
          return { ...shown, pending: row.pending };
        });
        const owedCents = sum(money.map((one) => one.availableCents - one.debtCents));
        expect(sum([all?.sums.availableCents ?? 0, -(all?.sums.debtCents ?? 0)])).toBe(owedCents);

        let balance = 0;
        const listed = new Map((await listMonths(pool, ownerId)).map((one) => [one.month, one]));
        for (const month of months) {
          const { openingCents, closingCents, ...sums } = await sumMonth(
            pool,
            ownerId,
            spanOfMonth(month),
          );
          const lines = await listLines(pool, ownerId, spanOfMonth(month));
          expect(openingCents).toBe(balance);
          balance += sum(lines.map(({ amountCents }) => amountCents));
          expect(closingCents).toBe(balance);
          expect(openingCents + sums.earnedCents + sums.writtenOffCents).toBe(
            closingCents + sums.transferredCents,
          );
          expect(sums.priceCents - sums.refundedCents - sums.commissionCents).toBe(
            sums.earnedCents,
          );
          for (const { kind, priceCents, commissionCents, amountCents } of lines)
            if (kind === 'release' || kind === 'refund')
              expect(priceCents - commissionCents).toBe(amountCents);
          const { month: _, ...ofMonth } = listed.get(month) ?? { month, ...noSums };
          expect(ofMonth).toEqual(sums);
        }
        expect(balance).toBe(owedCents);
      }),
      { numRuns: 40 },
    );
  });
});

const noSums = {
  priceCents: 0,
  refundedCents: 0,
  commissionCents: 0,
  earnedCents: 0,
  writtenOffCents: 0,
  transferredCents: 0,
};
