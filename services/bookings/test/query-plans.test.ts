import { createHash, randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Pool } from '@lendtools/service-kit';
import { postgresMigrations } from '@lendtools/service-runtime';
import { createFilledDatabase, planQueries } from '@lendtools/testing';
import { sumAll, sumDays } from '../src/bookings/show-stats/show-stats.ts';
import { purgeEndedHolds } from '../src/holds/purge-ended-holds/purge-ended-holds.ts';
import { eraseOwner } from '../src/people/erase-owner-when-account-deleted/erase-owner-when-account-deleted.ts';
import {
  approvalsOverdue,
  findLatestApprovals,
  findPendingOfTool,
} from '../src/store/approval-repository.ts';
import { searchBookings, sumOverdue } from '../src/store/booking-view.ts';
import { countOpenProblems, sumOpenProblems } from '../src/store/problem-repository.ts';
import { refundsSince } from '../src/store/refund-repository.ts';
import { findLateBefore, findNextAfter } from '../src/store/reminder-repository.ts';
import { searchReviews } from '../src/store/review-search.ts';

let database: Awaited<ReturnType<typeof createFilledDatabase>>;
beforeAll(async () => {
  database = await createFilledDatabase(
    postgresMigrations(fileURLToPath(new URL('../migrations/', import.meta.url))),
    fill,
  );
});
afterAll(() => database.drop());

/** Inserts 4,000 bookings, one a day: most completed, some cancelled and refunded, the latest confirmed, some changed. */
const fill = `
  CREATE TEMPORARY TABLE b AS SELECT i, md5('b' || i)::uuid AS id, md5('h' || i)::uuid AS hold, md5('p' || i)::uuid AS payment,
    md5('u' || i % 500)::uuid AS renter, md5('t' || i % 100)::uuid AS tool, now() - (4000 - i) * interval '1 day' AS at,
    CASE WHEN i > 3900 THEN 'confirmed' WHEN i % 10 = 0 THEN 'cancelled' ELSE 'completed' END AS status
  FROM generate_series(1, 4000) i;
  INSERT INTO people (id, version, first_name, last_name, image, country, state, city, address)
    SELECT md5('u' || i)::uuid, 1, 'Ann', 'Name' || i, '', '', '', '', '' FROM generate_series(0, 499) i;
  INSERT INTO tools (id, version, owner_id) SELECT md5('t' || i)::uuid, 1, md5('u' || i)::uuid FROM generate_series(0, 99) i;
  INSERT INTO holds (id, user_id, status, amount_cents, expires_at, paid_by, created_at)
    SELECT hold, renter, 'paid', 1000, at, payment, at FROM b;
  INSERT INTO bookings (id, hold_id, status, code, user_id, owner_id, tool_id, name, description, cover_image, circle, time_zone,
      price_cents, quantity, period, total_cents, start_date, start_time, end_date, end_time, starts_at, ends_at, created_at,
      booked_at, cancelled_at, cancellation_policy, remind_at)
    SELECT id, hold, status, 'LT' || i, renter, md5('u' || i % 100)::uuid, tool, 'Drill ' || i % 40, '', '', 'daily', 'UTC',
      1000, 1, 1, 1000, '', '', '', '', at, at + interval '1 day', at,
      at, CASE status WHEN 'cancelled' THEN at END, 'strict', CASE status WHEN 'confirmed' THEN at END FROM b;
  INSERT INTO units (id, tool_id, number) SELECT id, id, 1 FROM tools;
  INSERT INTO booking_units (booking_id, unit_id, during, status) SELECT id, tool, tstzrange(at, at + interval '1 day'), status FROM b;
  INSERT INTO payments (id, user_id, hold_id, amount_cents, unassigned_cents, rejected_cents, succeeded_at, recorded_at)
    SELECT payment, renter, hold, 1000, 0, CASE WHEN i % 50 = 1 THEN 1000 ELSE 0 END, at, at FROM b;
  INSERT INTO allocations SELECT payment, id, 1000, CASE status WHEN 'cancelled' THEN 500 ELSE 0 END FROM b;
  INSERT INTO refund_orders (payment_id, booking_id, refund_cents, reason, tool_names, ordered_at)
    SELECT payment, id, 500, 'cancelled', '{}', at FROM b WHERE status = 'cancelled';
  INSERT INTO holds (id, user_id, status, amount_cents, expires_at, created_at, changes_booking_id)
    SELECT md5('c' || i)::uuid, renter, CASE WHEN i % 200 = 3 THEN 'live' ELSE 'ended' END, 1000, at, at, id FROM b WHERE i % 4 = 3;
  INSERT INTO booking_changes (id, booking_id, hold_id, status, start_date, start_time, end_date, end_time, starts_at, ends_at,
      quantity, period, discount_cents, total_cents, units, due_cents, refund_cents, kept_cents, percent, before)
    SELECT md5('c' || i)::uuid, id, CASE WHEN i % 4 = 3 THEN md5('c' || i)::uuid END,
      CASE WHEN i % 200 = 3 THEN 'open' WHEN i % 8 < 6 THEN 'done' ELSE 'ended' END, '', '', '', '', at, at + interval '1 day',
      1, 1, 0, 1000, '{1}', 0, 0, 0, 100, '{}' FROM b WHERE i % 2 = 1 OR i % 8 = 6;
  INSERT INTO approvals (booking_id, change_id, hold_id, status, answer_by, accepted_at, remind_at, ended_by)
    SELECT booking_id, id, hold_id, CASE status WHEN 'open' THEN 'pending' WHEN 'done' THEN 'done' ELSE 'declined' END, starts_at,
      CASE status WHEN 'done' THEN starts_at END, CASE status WHEN 'open' THEN starts_at END,
      CASE status WHEN 'ended' THEN 'owner' END FROM booking_changes;
  INSERT INTO reviews (id, booking_id, tool_id, user_id, rating, comment)
    SELECT id, id, tool, renter, 1 + i % 5, 'Worked well for job ' || i FROM b WHERE status = 'completed'`;

const idOf = (name: string) => createHash('md5').update(name).digest('hex');
const [toolId, bookingId] = [idOf('t3'), idOf('b3990')];
const upTo = new Date();
const tenMinutesAgo = new Date(upTo.getTime() - 600_000).toISOString();
const requested = {
  viewer: {
    userId: '00000000-0000-7000-8000-000000000000',
    role: 'Admin' as const,
    accountRole: 'Admin' as const,
  },
  limit: 101,
  before: null,
  q: null,
  status: null,
  userId: null,
  isOverdue: false,
};

const jobs: [string, string[], (db: Pool) => Promise<unknown>][] = [
  ['the approvals of a removed tool', ['approvals_open'], (db) => findPendingOfTool(db, toolId)],
  [
    'the bookings before one that may be warned',
    ['booking_units_no_overlap'],
    (db) => findLateBefore(db, bookingId, upTo),
  ],
  [
    'the bookings that wait for an overdue one',
    ['booking_units_no_overlap'],
    (db) => findNextAfter(db, bookingId, upTo),
  ],
  [
    'the purge of holds and changes',
    ['approvals_to_purge', 'holds_ended'],
    (db) => purgeEndedHolds(db),
  ],
  [
    'the erasure of a deleted owner',
    ['tools_by_owner', 'bookings_of_tool'],
    (db) => eraseOwner(db, idOf('u3')),
  ],
  ['the gauge of overdue approvals', ['approvals_open'], (db) => approvalsOverdue(db)],
  [
    'the list of refunds that the payments service compares',
    ['refund_orders_by_time'],
    (db) => refundsSince(db, { since: tenMinutesAgo, upTo, after: null, limit: 200 }),
  ],
];

const someIds = Array.from({ length: 50 }, () => randomUUID());
const pages: [string, string[], (db: Pool) => Promise<unknown>][] = [
  ['the count of open problems', ['booking_problems_open'], (db) => countOpenProblems(db)],
  [
    'the list of one status',
    ['bookings_shown_by_status'],
    (db) => search(db, { status: 'failed' }),
  ],
  ['the approvals of a page', ['approvals_of_booking'], (db) => findLatestApprovals(db, someIds)],
  ['the search', ['bookings_words'], (db) => search(db, { q: 'zebrawood' })],
  [
    'the unconfirmed returns',
    ['bookings_confirmed_by_end'],
    (db) => search(db, { isOverdue: true }),
  ],
  ['the count of unconfirmed returns', ['bookings_confirmed_by_end'], (db) => sumOverdue(db)],
  ['the oldest open problem', ['booking_problems_open'], (db) => sumOpenProblems(db)],
  [
    'the search in reviews',
    ['reviews_words'],
    (db) =>
      searchReviews(db, {
        viewerId: idOf('u3'),
        q: 'zebrawood',
        stars: null,
        before: null,
        limit: 101,
      }),
  ],
  [
    'the reviews of one star',
    ['reviews_by_stars'],
    (db) =>
      searchReviews(db, { viewerId: idOf('u3'), q: null, stars: 1, before: null, limit: 101 }),
  ],
  ['the statistics of a month', ['bookings_revenue'], (db) => sumDays(db, 30)],
];
const search = (db: Pool, narrowed: Partial<Parameters<typeof searchBookings>[1]>) =>
  searchBookings(db, { ...requested, ...narrowed });

describe('PostgreSQL with 4,000 bookings', () => {
  it.each([...jobs, ...pages])(
    'uses the indexes made for %s and scans no whole table',
    async (_, expected, ask) => {
      const { indexes, scannedTables } = await planQueries(database.pool, ask);

      expect(indexes).toEqual(expect.arrayContaining(expected));
      expect(scannedTables).toEqual([]);
    },
  );

  it('uses an index to sum what cancelled bookings left to the owners', async () => {
    const { indexes } = await planQueries(database.pool, sumAll);

    expect(indexes).toContain('bookings_cancelled');
  });
});
