import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@lendtools/testing';
import { insertShare } from '../../../test/ledger-entries.ts';
import { startTestPayments, type TestPayments } from '../../../test/payments-service.ts';

let payments: TestPayments;
let admin: string;
beforeAll(async () => {
  payments = await startTestPayments();
  admin = await payments.accounts.sign({ role: 'Admin' });
});
afterAll(() => payments.stop());

const download = (month: string, token = admin) =>
  fetch(new URL(`/api/admin/ledger/${month}`, payments.url), {
    headers: { authorization: `Bearer ${token}` },
  });

const addMany = async (count: number) => {
  const { paymentId } = await insertShare(payments.pool, { ownerId: randomUUID(), movements: [] });
  await payments.pool.query(
    `INSERT INTO ledger (key, line, from_account, to_account, cents, payment_id, happened_at, posted_at)
     SELECT 'many:' || $1::text, line, 'netting', 'operator', line, $1::uuid, '2026-02-01', '2026-02-01' FROM generate_series(1, $2) line`,
    [paymentId, count],
  );
};

describe('GET /api/admin/ledger/:month', () => {
  it('is a private file with the entries that were posted in the month in UTC', async () => {
    const ownerId = randomUUID();
    const { paymentId, bookingId } = await insertShare(payments.pool, {
      ownerId,
      movements: [
        { key: 'early', at: '2026-02-28T23:59:59.999Z', moves: [['card', 'unallocated', 5_000]] },
        { key: 'share', at: '2026-03-01T00:00:00Z', moves: [['unallocated', 'pending', 3_050]] },
        { key: 'late', at: '2026-04-01T00:00:00Z', moves: [['pending', 'due', 1]] },
      ],
    });

    const reply = await download('2026-03');

    expect(Object.fromEntries(reply.headers)).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'cache-control': 'private, no-store',
      'content-disposition': 'attachment; filename="ledger-2026-03.csv"',
    });
    const key = `share:${bookingId}`;
    const time = '2026-03-01T00:00:00.000Z';
    expect(Buffer.from(await reply.arrayBuffer()).toString()).toBe(
      [
        '\uFEFFPosted (UTC),Happened (UTC),Movement,Line,From,To,Amount,Payment,Booking,Owner,Stripe',
        [
          time,
          time,
          key,
          1,
          'unallocated',
          'pending',
          30.5,
          paymentId,
          bookingId,
          ownerId,
          'stripe_1',
        ].join(),
        '',
      ].join('\r\n'),
    );
  });

  it('reads more entries than one batch, each once and in order', async () => {
    await addMany(4_500);

    const lines = (await (await download('2026-02')).text()).split('\r\n');

    const numbers = lines.flatMap((line) => /,many:[^,]+,(\d+),/.exec(line)?.[1] ?? []);
    expect(numbers).toEqual(Array.from({ length: 4_500 }, (_, index) => String(index + 1)));
  });

  it('returns its connection when the download is stopped', async () => {
    await addMany(20_000);
    for (let n = 0; n < 12; n += 1) {
      const reply = await download('2026-02');
      await reply.body?.cancel();
    }

    await waitFor('a connection', async () => (await download('2026-01')).status === 200);
  });

  it('makes at most two at a time, and rejects more with 429', async () => {
    const client = await payments.pool.connect();
    await client.query('BEGIN; LOCK TABLE ledger IN ACCESS EXCLUSIVE MODE');
    const open: Promise<Response>[] = [];
    await waitFor('two exports', async () => {
      const { rowCount } = await payments.pool.query(
        `SELECT FROM pg_stat_activity
         WHERE datname = current_database() AND query LIKE 'DECLARE entries%' AND wait_event_type = 'Lock'`,
      );
      if (rowCount !== 2) open.push(download('2026-01'));
      return rowCount === 2;
    });

    const reply = await download('2026-01');

    await client.query('COMMIT');
    client.release();
    expect(reply.status).toBe(429);
    expect(reply.headers.get('retry-after')).toBe('60');
    expect(await reply.json()).toMatchObject({ code: 'TOO_MANY_REQUESTS' });
    await Promise.all(open);
    await waitFor('their end', async () => (await download('2026-01')).status === 200);
  });

  it('rejects another month with 400', async () => {
    for (const month of ['2026-13', '2026', 'march'])
      expect((await download(month)).status).toBe(400);
  });

  it('is for admins', async () => {
    const { token } = await payments.signIn();

    expect((await download('2026-03', token)).status).toBe(403);
  });

  it('is limited per hour', async () => {
    const userId = randomUUID();
    const token = await payments.accounts.sign({ userId, role: 'Admin' });
    await payments.pool.query(
      `INSERT INTO quotas (user_id, kind, used, ends_at) VALUES ($1, 'ledger-files', 1000000000, now() + interval '1 hour')`,
      [userId],
    );

    expect((await download('2026-03', token)).status).toBe(429);
  });
});
