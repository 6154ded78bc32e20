import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Pool } from '@lendtools/service-kit';
import { postgresMigrations } from '@lendtools/service-runtime';
import { createFilledDatabase, planQueries } from '@lendtools/testing';
import { purgeCanceledPayments } from '../src/charges/purge-canceled-payments/purge-canceled-payments.ts';
import { spanOfMonth } from '../src/domain/month.ts';
import { migrations } from '../src/start-payments.ts';
import { listAllDebts, listNettableDebts, pageOfDebts } from '../src/store/debt-repository.ts';
import { pageOfOpenDisputes } from '../src/store/dispute-repository.ts';
import { listLines, listMonths, readEarnings, sumMonth } from '../src/store/earnings-repository.ts';
import { findUnfollowedPayments, listAvailableShares } from '../src/store/ledger-repository.ts';
import { listOperatorMonths } from '../src/store/ledger-totals-repository.ts';
import { sumMoneyByMonth } from '../src/store/money-flow-repository.ts';
import { paymentsSince } from '../src/store/payment-repository.ts';
import { countUnfinishedRefunds } from '../src/store/refund-repository.ts';
import { hasUnknownReversal, listReversible } from '../src/store/reversal-repository.ts';
import {
  countStuckTransfers,
  pageOfStuckTransfers,
  sumStuckWork,
} from '../src/store/stuck-transfer-repository.ts';
import { claimTransfer } from '../src/store/transfer-repository.ts';
import { findStripeObject, pageOfFailedRefunds, sumWork } from '../src/store/work-repository.ts';
import { purgeStripeEvents } from '../src/stripe-events/purge-stripe-events/purge-stripe-events.ts';

let database: Awaited<ReturnType<typeof createFilledDatabase>>;
beforeAll(async () => {
  database = await createFilledDatabase(postgresMigrations(migrations), fill);
});
afterAll(() => database.drop());

/** Inserts 2,000 payments, a day apart, every tenth refunded, and all but the first ten transferred to an owner. */
const fill = `
  INSERT INTO payments (id, user_id, amount_cents, status, intent_id, shares_read_at, expires_at, next_check_at, succeeded_at, reserved_cents, created_at)
    SELECT md5('p' || i)::uuid, md5('u' || i % 200)::uuid, 1000, 'succeeded', 'pi_' || i, CASE WHEN i > 100 THEN at END, at, 'infinity', at, CASE WHEN i % 10 = 0 THEN 1000 ELSE 0 END, at
    FROM (SELECT i, now() - (2000 - i) * interval '1 day' AS at FROM generate_series(1, 2000) i) s;
  INSERT INTO refunds (key, payment_id, amount_cents, reason, tool_names, status, next_try_at)
    SELECT id, id, 1000, 'cancelled', '{}', 'succeeded', CASE WHEN created_at > now() - interval '60 days' THEN now() ELSE 'infinity' END
    FROM payments WHERE reserved_cents > 0;
  INSERT INTO payout_accounts (owner_id, account_id, state)
    SELECT md5('o' || i)::uuid, 'acct_' || i, 'ready' FROM generate_series(1, 5000) i;
  INSERT INTO transfers (payment_id, booking_id, owner_id, account_id, amount_cents, status, transfer_id, sent_at, next_try_at, created_at)
    SELECT md5('p' || i)::uuid, md5('b' || i)::uuid, md5('o' || i)::uuid, 'acct_' || i, 900, CASE WHEN i > 10 THEN 'sent' ELSE 'rejected' END,
      CASE WHEN i > 10 THEN 'tr_' || i END, CASE WHEN i > 10 THEN now() END, CASE WHEN i > 10 THEN 'infinity' ELSE now() END, now() - interval '9 days'
    FROM generate_series(1, 2000) i;
  INSERT INTO transfer_reversals (transfer, amount_cents, status, reversal_id, made_at, next_try_at)
    SELECT id, 300, 'made', 'trr_' || n, now(), 'infinity' FROM transfers CROSS JOIN generate_series(1, 2) part
    CROSS JOIN LATERAL (SELECT concat(id, part) AS n) key WHERE status = 'sent';
  INSERT INTO ledger (key, line, from_account, to_account, cents, payment_id, booking_id, owner_id, stripe_id, happened_at)
    SELECT 'release:' || i, line, CASE line WHEN 1 THEN 'card' WHEN 2 THEN 'available' ELSE 'debts' END,
      CASE line WHEN 1 THEN 'available' WHEN 2 THEN 'owner' ELSE 'card' END, 900, md5('p' || i)::uuid, md5('b' || i)::uuid,
      md5('o' || i)::uuid, 'ch_' || i, now()
    FROM generate_series(1, 2000) i CROSS JOIN generate_series(1, 3) line
    WHERE line = 1 OR (line = 2 AND i > 10) OR (line = 3 AND i % 20 = 0)`;

const upTo = new Date();
const share = { paymentId: randomUUID(), bookingId: randomUUID() };
const ownerId = randomUUID();
const span = spanOfMonth('2026-11');
const since = new Date(upTo.getTime() - 600_000).toISOString();

const queries: [string, string[], (db: Pool) => Promise<unknown>][] = [
  [
    'the list of payments that the bookings service compares',
    ['payments_by_news'],
    (db) => paymentsSince(db, { since, upTo, after: null, limit: 200 }),
  ],
  ['the gauge of unfinished refunds', ['refunds_unfinished'], (db) => countUnfinishedRefunds(db)],
  ['the purge of payments', ['payments_canceled'], (db) => purgeCanceledPayments(db)],
  ["the purge of Stripe's events", ['stripe_events_handled_at'], (db) => purgeStripeEvents(db)],
  [
    'the payments whose shares were not read with their terms',
    ['payments_unread'],
    (db) => findUnfollowedPayments(db, { skip: [], limit: 200 }),
  ],
  [
    'the gauge of stuck transfers',
    [
      'transfers_waiting',
      'transfers_of_share',
      'transfer_reversals_unfinished',
      'transfer_reversals_returned',
      'waiting_shares_by_release',
    ],
    (db) => countStuckTransfers(db),
  ],
  [
    'the transfers of a share that may be reversed',
    ['transfers_of_share', 'transfer_reversals_of_transfer'],
    (db) => listReversible(db, share),
  ],
  [
    'whether a transfer of a share is being reversed',
    ['transfers_of_share', 'transfer_reversals_unfinished'],
    (db) => hasUnknownReversal(db, share),
  ],
  [
    "a page of an owner's earnings",
    ['ledger_of_owner'],
    (db) => readEarnings(db, ownerId, { before: null, limit: 201, when: 'waiting', withAll: true }),
  ],
  ["the months of an owner's earnings", ['ledger_of_owner'], (db) => listMonths(db, ownerId)],
  ['the sums of a statement', ['ledger_of_owner'], (db) => sumMonth(db, ownerId, span)],
  ['the lines of a statement', ['ledger_of_owner'], (db) => listLines(db, ownerId, span)],
  [
    'the owners with debts',
    ['ledger_of_debts'],
    (db) => pageOfDebts(db, { after: ownerId, limit: 201 }),
  ],
  ['the debts of an owner', ['ledger_of_debts'], (db) => listAllDebts(db, ownerId)],
  ['the debts that a transfer pays', ['ledger_of_debts'], (db) => listNettableDebts(db, ownerId)],
  [
    "an owner's shares that can be transferred",
    ['ledger_of_owner'],
    (db) => listAvailableShares(db, ownerId),
  ],
  [
    'the transfer of a share that is due',
    ['transfers_unfinished'],
    (db) => claimTransfer(db, { paymentId: ownerId, bookingId: ownerId }),
  ],
  [
    'the list of stuck transfers',
    [
      'transfers_waiting',
      'transfer_reversals_returned',
      'disputes_open',
      'payout_accounts_stopped',
      'waiting_shares_of_owner',
      'waiting_shares_of_payment',
    ],
    (db) => pageOfStuckTransfers(db, { after: share, limit: 201 }),
  ],
  [
    'the stuck transfers for admins',
    ['transfers_waiting', 'transfer_reversals_returned', 'waiting_shares_by_release'],
    (db) => sumStuckWork(db),
  ],
  [
    'the work of admins',
    ['disputes_open', 'fraud_warnings_open', 'refunds_unfinished'],
    (db) => sumWork(db),
  ],
  [
    'the list of failed refunds',
    ['refunds_unfinished'],
    (db) => pageOfFailedRefunds(db, { after: null, limit: 51 }),
  ],
  ['what moved in each month', ['ledger_flows'], (db) => sumMoneyByMonth(db, { months: 6 })],
  [
    "a refund by Stripe's id",
    ['refunds_refund_id_key', 'outside_refunds_pkey'],
    (db) => findStripeObject(db, 're_1'),
  ],
  [
    "a reversal by Stripe's id",
    ['transfer_reversals_reversal_id_key'],
    (db) => findStripeObject(db, 'trr_1'),
  ],
  ['the months of the operator', ['ledger_by_time'], (db) => listOperatorMonths(db, 24)],
  [
    'the list of open disputes',
    ['disputes_open'],
    (db) => pageOfOpenDisputes(db, { limit: 51, after: null }),
  ],
];

describe('PostgreSQL with many payments', () => {
  it.each(queries)(
    'uses the indexes made for %s and scans no whole table',
    async (_, expected, query) => {
      const { indexes, scannedTables } = await planQueries(database.pool, query);

      expect(indexes).toEqual(expect.arrayContaining(expected));
      expect(scannedTables).toEqual([]);
    },
  );
});
