import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Statement } from '@lendtools/contracts';
import { earnedBooking, insertShare } from '../../../test/ledger-entries.ts';
import { startTestPayments, type TestPayments } from '../../../test/payments-service.ts';
import { textOf } from '../../../test/receipts.ts';

let payments: TestPayments;
beforeAll(async () => {
  payments = await startTestPayments();
});
afterAll(() => payments.stop());

type Owner = Awaited<ReturnType<TestPayments['signIn']>>;
type Movements = Parameters<typeof insertShare>[1]['movements'];

const pathOf = ({ userId }: Owner, month: string) => `/api/user/${userId}/statements/${month}`;

const statementOf = async (owner: Owner, month = '2026-03'): Promise<Statement> => {
  const { status, body } = await payments.api.get(pathOf(owner, month), { token: owner.token });
  expect(status).toBe(200);
  return body.statement;
};

const add = async ({ userId }: Owner, movements: Movements, facts: object = {}) => {
  const share = await insertShare(payments.pool, { ownerId: userId, movements });
  payments.earnedBookings.set(share.bookingId, earnedBooking(share.bookingId, facts));
  return share;
};

/** A share of $40 that is released: $36 and $4 commission. */
const released = (at: string): Movements => [
  { key: 'charge', at, moves: [['card', 'unallocated', 4_000]] },
  { key: 'share', at, moves: [['unallocated', 'pending', 4_000]] },
  {
    key: 'release',
    at,
    moves: [
      ['pending', 'commission', 400],
      ['pending', 'available', 3_600],
    ],
  },
];

const sent = (at: string, cents = 3_600): Movements => [
  { key: 'transfer', at, moves: [['available', 'sending', cents]] },
  { key: 'transfer:sent', at, moves: [['sending', 'owner', cents]] },
];

/** A refund of $10 after the transfer. */
const refunded = (at: string): Movements => [
  {
    key: 'order',
    at,
    moves: [
      ['commission', 'due', 100],
      ['debts', 'due', 900],
    ],
  },
  { key: 'refund', at, moves: [['due', 'card', 1_000]] },
];

const none = {
  openingCents: 0,
  closingCents: 0,
  priceCents: 0,
  refundedCents: 0,
  commissionCents: 0,
  earnedCents: 0,
  writtenOffCents: 0,
  transferredCents: 0,
};

describe('GET /api/user/:userId/statements/:month', () => {
  it('lists what was earned, refunded and transferred, from balance to balance', async () => {
    const owner = await payments.signIn();
    payments.ownerNames.set(owner.userId, 'Olga Owner');
    const { bookingId } = await add(owner, [
      ...released('2026-03-02T10:00:00Z'),
      ...sent('2026-03-02T10:00:05Z'),
      ...refunded('2026-03-09T08:00:00Z'),
      { key: 'reversal', at: '2026-03-10T08:00:00Z', moves: [['owner', 'debts', 500]] },
    ]);

    const statement = await statementOf(owner);

    const line = { bookingId, bookingCode: 'LT123456', toolName: 'Hammer drill' };
    const noPrice = { priceCents: 0, commissionCents: 0 };
    expect(statement).toEqual({
      month: '2026-03',
      ownerName: 'Olga Owner',
      isClosed: true,
      openingCents: 0,
      priceCents: 4_000,
      refundedCents: 1_000,
      commissionCents: 300,
      earnedCents: 2_700,
      writtenOffCents: 0,
      transferredCents: 3_100,
      closingCents: -400,
      lines: [
        {
          ...line,
          at: '2026-03-02T10:00:00.000Z',
          kind: 'release',
          priceCents: 4_000,
          commissionCents: 400,
          amountCents: 3_600,
        },
        {
          ...line,
          ...noPrice,
          at: '2026-03-02T10:00:05.000Z',
          kind: 'transfer',
          amountCents: -3_600,
        },
        {
          ...line,
          at: '2026-03-09T08:00:00.000Z',
          kind: 'refund',
          priceCents: -1_000,
          commissionCents: -100,
          amountCents: -900,
        },
        { ...line, ...noPrice, at: '2026-03-10T08:00:00.000Z', kind: 'reversal', amountCents: 500 },
      ],
    });
  });

  it('shows netting as two lines that add up to zero', async () => {
    const owner = await payments.signIn();
    const at = '2026-03-20T10:00:00Z';
    await add(owner, [
      ...released('2026-02-02T10:00:00Z'),
      ...sent('2026-02-02T10:00:05Z'),
      ...refunded('2026-02-09T08:00:00Z'),
      { key: 'netting', at, moves: [['netting', 'debts', 900]] },
    ]);
    await add(owner, [
      ...released('2026-03-20T09:00:00Z'),
      { key: 'netting', at, moves: [['available', 'netting', 900]] },
      ...sent('2026-03-20T10:00:01Z', 2_700),
    ]);

    const { lines, ...statement } = await statementOf(owner);

    const netted = lines.filter(({ kind }) => kind === 'netting');
    expect(netted.map(({ amountCents }) => amountCents).sort((a, b) => a - b)).toEqual([-900, 900]);
    expect(statement).toMatchObject({
      openingCents: -900,
      earnedCents: 3_600,
      transferredCents: 2_700,
      closingCents: 0,
    });
  });

  it('shows a lost dispute, its late win, and a debt that was written off', async () => {
    const owner = await payments.signIn();
    const lost: Movements[number]['moves'] = [
      ['commission', 'disputes', 400],
      ['debts', 'disputes', 3_600],
    ];
    await add(owner, [
      ...released('2026-02-02T10:00:00Z'),
      ...sent('2026-02-02T10:00:05Z'),
      { key: 'withdrawn', at: '2026-03-01T00:00:00Z', moves: [['disputes', 'bank', 4_000]] },
      { key: 'loss:1', at: '2026-03-02T00:00:00Z', moves: lost },
      { key: 'write-off', at: '2026-03-05T00:00:00Z', moves: [['losses', 'debts', 600]] },
      {
        key: 'loss:2',
        at: '2026-03-06T00:00:00Z',
        moves: [
          ['disputes', 'commission', 100],
          ['disputes', 'debts', 900],
        ],
      },
    ]);

    const { lines, ...statement } = await statementOf(owner);

    expect(lines).toMatchObject([
      { kind: 'dispute', priceCents: -4_000, commissionCents: -400, amountCents: -3_600 },
      { kind: 'write-off', priceCents: 0, commissionCents: 0, amountCents: 600 },
      { kind: 'dispute', priceCents: 1_000, commissionCents: 100, amountCents: 900 },
    ]);
    expect(statement).toMatchObject({
      refundedCents: 3_000,
      commissionCents: -300,
      earnedCents: -2_700,
      writtenOffCents: 600,
      closingCents: -2_100,
    });
  });

  it('begins and ends a month in UTC', async () => {
    const owner = await payments.signIn();
    await add(owner, released('2026-02-28T23:59:59.999Z'), { bookingCode: 'LTBEFORE' });
    await add(owner, released('2026-03-01T00:00:00Z'), { bookingCode: 'LTFIRST' });
    await add(owner, released('2026-03-31T23:59:59.999Z'), { bookingCode: 'LTLAST' });
    await add(owner, released('2026-04-01T00:00:00Z'), { bookingCode: 'LTAFTER' });

    const { lines, openingCents, closingCents } = await statementOf(owner);

    expect(lines.map(({ bookingCode }) => bookingCode)).toEqual(['LTFIRST', 'LTLAST']);
    expect({ openingCents, closingCents }).toEqual({ openingCents: 3_600, closingCents: 10_800 });
  });

  it('agrees with the months of the earnings', async () => {
    const owner = await payments.signIn();
    await add(owner, [
      ...released('2026-02-02T10:00:00Z'),
      ...sent('2026-02-02T10:00:05Z'),
      ...refunded('2026-03-09T08:00:00Z'),
    ]);

    const reply = await payments.api.get(`/api/user/${owner.userId}/payouts`, {
      token: owner.token,
    });

    const months = reply.body.summary.months as { month: string }[];
    expect(months.map(({ month }) => month)).toEqual(['2026-03', '2026-02']);
    for (const sums of months) expect(await statementOf(owner, sums.month)).toMatchObject(sums);
  });

  it('is empty without entries, and open until the month is over', async () => {
    const owner = await payments.signIn();

    expect(await statementOf(owner, '2999-12')).toEqual({
      month: '2999-12',
      ownerName: '',
      isClosed: false,
      ...none,
      lines: [],
    });
  });

  it.each(['2026-13', '2026-00', '2026-1', '1999-12', '2026-03-01', 'march'])(
    'rejects the month %s with 400',
    async (month) => {
      const owner = await payments.signIn();

      for (const file of ['', '/csv', '/pdf']) {
        const path = pathOf(owner, month) + file;
        expect((await payments.api.get(path, { token: owner.token })).status).toBe(400);
      }
    },
  );

  it('is for the owner and admins, as are its files', async () => {
    const owner = await payments.signIn();
    const other = await payments.signIn();
    const admin = await payments.accounts.sign({ role: 'Admin' });

    for (const file of ['', '/csv', '/pdf']) {
      const path = pathOf(owner, '2026-03') + file;
      expect((await payments.api.get(path)).status).toBe(401);
      expect((await payments.api.get(path, { token: other.token })).status).toBe(403);
      expect((await download(path, admin)).status).toBe(200);
    }
  });
});

const download = (path: string, token: string) =>
  fetch(new URL(path, payments.url), { headers: { authorization: `Bearer ${token}` } });

describe('GET /api/user/:userId/statements/:month/csv', () => {
  it('is a private file with a line for each movement and the balance after it', async () => {
    const owner = await payments.signIn();
    await add(owner, [...released('2026-03-02T10:00:00Z'), ...refunded('2026-03-09T08:00:00Z')]);

    const reply = await download(`${pathOf(owner, '2026-03')}/csv`, owner.token);

    expect(Object.fromEntries(reply.headers)).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'cache-control': 'private, no-store',
      'content-disposition': 'attachment; filename="statement-2026-03.csv"',
    });
    expect(Buffer.from(await reply.arrayBuffer()).toString()).toBe(
      [
        '\uFEFFTime (UTC),Kind,Booking,Tool,Price,Commission,Amount,Balance',
        '2026-03-02T10:00:00.000Z,Rental,LT123456,Hammer drill,40,4,36,36',
        '2026-03-09T08:00:00.000Z,Refund to the renter,LT123456,Hammer drill,-10,-1,-9,27',
        '',
      ].join('\r\n'),
    );
  });

  it('quotes names, and escapes those that a spreadsheet would run', async () => {
    const owner = await payments.signIn();
    const at = '2026-03-02T10:00:00Z';
    await add(owner, released(at), { toolName: '=HYPERLINK("https://evil.example","Drill")' });

    const reply = await download(`${pathOf(owner, '2026-03')}/csv`, owner.token);

    expect(await reply.text()).toContain(
      `,"'=HYPERLINK(""https://evil.example"",""Drill"")",40,4,36,36`,
    );
  });
});

describe('GET /api/user/:userId/statements/:month/pdf', () => {
  it('contains the sums and each line', async () => {
    const owner = await payments.signIn();
    payments.ownerNames.set(owner.userId, 'Zoë Núñez');
    await add(owner, [
      ...released('2026-03-02T10:00:00Z'),
      ...sent('2026-03-02T10:00:05Z'),
      ...refunded('2026-03-09T08:00:00Z'),
    ]);

    const reply = await download(`${pathOf(owner, '2026-03')}/pdf`, owner.token);

    expect(reply.headers.get('content-disposition')).toBe(
      'attachment; filename="statement-2026-03.pdf"',
    );
    const text = await textOf(new Uint8Array(await reply.arrayBuffer()));
    for (const words of [
      'Statement of March 2026',
      'Zoë Núñez',
      'Balance before $0.00',
      'Rentals $40.00',
      'Refunds and disputes -$10.00',
      'Commission -$3.00',
      'Transferred to your Stripe account -$36.00',
      'Balance after -$9.00',
      'Rental: Hammer drill',
      'Mar 2, 2026, booking LT123456',
      '$40.00 less $4.00 commission',
      '-$10.00 with $1.00 commission returned',
    ])
      expect(text).toContain(words);
    expect(text).not.toContain('not over');
  });

  it('says that a month is empty, or not over', async () => {
    const owner = await payments.signIn();

    const reply = await download(`${pathOf(owner, '2999-12')}/pdf`, owner.token);

    const text = await textOf(new Uint8Array(await reply.arrayBuffer()));
    expect(text).toContain('This month is not over');
    expect(text).toContain('Nothing was earned or transferred');
  });

  it('is limited per hour', async () => {
    const owner = await payments.signIn();
    await payments.pool.query(
      `INSERT INTO quotas (user_id, kind, used, ends_at) VALUES ($1, 'statement-files', 1000000000, now() + interval '1 hour')`,
      [owner.userId],
    );

    for (const file of ['csv', 'pdf']) {
      const reply = await download(`${pathOf(owner, '2026-03')}/${file}`, owner.token);
      expect(reply.status).toBe(429);
      expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
    }
  });

  it('replies 503 while bookings is unavailable', async () => {
    const owner = await payments.signIn();
    payments.bookingsOutage.requests = 1;

    expect((await download(`${pathOf(owner, '2026-03')}/pdf`, owner.token)).status).toBe(503);
    payments.bookingsOutage.requests = 0;
  });
});

describe('an admin who downloads a statement', () => {
  it('is recorded with the owner, and needs the role of finance', async () => {
    const owner = await payments.signIn();
    const path = `${pathOf(owner, '2026-03')}/csv`;
    const [userId, supportId] = [randomUUID(), randomUUID()];
    const finance = await payments.accounts.sign({ userId, role: 'Finance' });
    const support = await payments.accounts.sign({ userId: supportId, role: 'Support' });

    const rejected = await payments.api.get(path, { token: support });
    await payments.api.get(path, { token: owner.token });
    const reply = await payments.api.get(path, { token: finance });

    expect([rejected.status, reply.status]).toEqual([403, 200]);
    const { data } = await payments.broker.expectEvent(
      'AdminActedInPayments',
      ({ subject }) => subject === owner.userId,
    );
    expect(data).toMatchObject({ actorId: userId, action: 'statementCsv', actorRole: 'Finance' });
    const acts = payments.broker.received.filter(
      (event) => event.type === 'AdminActedInPayments' && event.data.subject === owner.userId,
    );
    expect(acts).toHaveLength(1);
  });
});
