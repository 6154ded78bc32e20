import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { OwnerWithDebt } from '@lendtools/contracts';
import { insertShare } from '../../../test/ledger-entries.ts';
import { startTestPayments, type TestPayments } from '../../../test/payments-service.ts';

let payments: TestPayments;
let admin: { userId: string; token: string };
beforeAll(async () => {
  payments = await startTestPayments();
  const userId = randomUUID();
  admin = { userId, token: await payments.accounts.sign({ userId, role: 'Admin' }) };
});
afterAll(() => payments.stop());

const at = '2026-03-02T10:00:00Z';

/** Shares that were transferred and then refunded, so that their owner owes these cents. */
const indebted = async (...debts: number[]) => {
  const ownerId: string = randomUUID();
  const shares = [];
  for (const cents of debts)
    shares.push(
      await insertShare(payments.pool, {
        ownerId,
        movements: [
          { key: 'sent', at, moves: [['card', 'owner', cents]] },
          { key: 'refund', at, moves: [['debts', 'card', cents]] },
        ],
      }),
    );
  return { ownerId, shares };
};

const writeOff = (
  ownerId: string,
  body: object,
  { token, key }: { token?: string; key?: string } = {},
) =>
  payments.api.post(`/api/admin/users/${ownerId}/write-off`, {
    token: token ?? admin.token,
    body: { reason: 'The owner has left.', ...body },
    ...(key && { headers: { 'idempotency-key': key } }),
  });

const entriesOf = async (ownerId: string) => {
  const { rows } = await payments.pool.query(
    `SELECT key, line, from_account, to_account, cents::int, payment_id, booking_id FROM ledger
     WHERE owner_id = $1 AND key LIKE 'write-off:%' ORDER BY line`,
    [ownerId],
  );
  return rows;
};

const debtsOf = async (query = '') =>
  (await payments.api.get(`/api/admin/debts${query}`, { token: admin.token })).body as {
    owners: OwnerWithDebt[];
    nextCursor: string | null;
  };

const debtOf = async (ownerId: string) =>
  (await debtsOf()).owners.find((one) => one.ownerId === ownerId);

describe('GET /api/admin/debts', () => {
  it('lists owners with their debt and what is coming', async () => {
    const { ownerId } = await indebted(600, 300);
    payments.ownerNames.set(ownerId, 'Olga Owner');
    await insertShare(payments.pool, {
      ownerId,
      movements: [
        { key: 'charge', at, moves: [['card', 'unallocated', 4_000]] },
        { key: 'share', at, moves: [['unallocated', 'pending', 4_000]] },
      ],
    });

    expect(await debtOf(ownerId)).toEqual({
      ownerId,
      ownerName: 'Olga Owner',
      debtCents: 900,
      comingCents: 4_000,
      since: '2026-03-02T10:00:00.000Z',
      isHeld: false,
      state: 'not-started',
    });
  });

  it('leaves out owners whose debts are paid', async () => {
    const { ownerId, shares } = await indebted(600);
    await payments.pool.query(
      `INSERT INTO ledger (key, line, from_account, to_account, cents, payment_id, booking_id, owner_id, stripe_id, happened_at)
       VALUES ('reversal:' || $2::text, 1, 'owner', 'debts', 600, $1, $2::uuid, $3, 'trr_1', now())`,
      [shares[0]?.paymentId, shares[0]?.bookingId, ownerId],
    );

    expect(await debtOf(ownerId)).toBeUndefined();
  });

  it('pages by owner', async () => {
    const owners = [await indebted(1), await indebted(2)].map(({ ownerId }) => ownerId).sort();
    const found: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page = await debtsOf(`?limit=1${cursor && `&cursor=${cursor}`}`);
      found.push(...page.owners.map(({ ownerId }) => ownerId));
      cursor = page.nextCursor;
    }

    expect(found.filter((id) => owners.includes(id))).toEqual(owners);
    expect(new Set(found).size).toBe(found.length);
  });

  it('is for admins', async () => {
    const { token } = await payments.signIn();

    expect((await payments.api.get('/api/admin/debts', { token })).status).toBe(403);
  });
});

describe('POST /api/admin/users/:userId/write-off', () => {
  it('moves the debt of each booking to the losses, and records who did it and why', async () => {
    const { ownerId, shares } = await indebted(600, 300);

    const { status, body } = await writeOff(ownerId, { cents: 900 });

    expect({ status, body }).toEqual({
      status: 201,
      body: { id: expect.any(String), writtenOffCents: 900 },
    });
    const move = { key: `write-off:${body.id}`, from_account: 'losses', to_account: 'debts' };
    const expected = [600, 300].map((cents, index) => ({
      ...move,
      cents,
      payment_id: shares[index]?.paymentId,
      booking_id: shares[index]?.bookingId,
    }));
    const entries = await entriesOf(ownerId);
    expect(entries.map(({ line }) => line)).toEqual([1, 2]);
    expect(entries.map(({ line: _, ...entry }) => entry)).toEqual(expect.arrayContaining(expected));
    expect(await debtOf(ownerId)).toBeUndefined();
    const { rows } = await payments.pool.query(
      'SELECT owner_id, admin_id, cents::int, reason FROM write_offs WHERE id = $1',
      [body.id],
    );
    expect(rows).toEqual([
      { owner_id: ownerId, admin_id: admin.userId, cents: 900, reason: 'The owner has left.' },
    ]);
  });

  it('writes off once when it is repeated with its key', async () => {
    const { ownerId } = await indebted(600);
    const key = randomUUID();

    const first = await writeOff(ownerId, { cents: 600 }, { key });
    const again = await writeOff(ownerId, { cents: 600 }, { key });

    expect(again.body).toEqual(first.body);
    expect(await entriesOf(ownerId)).toHaveLength(1);
  });

  it('writes off once when two admins do it at the same time', async () => {
    const { ownerId } = await indebted(600);

    const replies = await Promise.all([1, 2].map(() => writeOff(ownerId, { cents: 600 })));

    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect(await entriesOf(ownerId)).toHaveLength(1);
  });

  it('rejects another amount than the debt with 409 and changes nothing', async () => {
    const { ownerId } = await indebted(600);

    for (const cents of [599, 601])
      expect(await writeOff(ownerId, { cents })).toMatchObject({
        status: 409,
        body: { code: 'DEBT_CHANGED', detail: expect.stringContaining('$6.00') },
      });
    expect(await entriesOf(ownerId)).toEqual([]);
  });

  it.each([{ cents: 0 }, { cents: 1.5 }, { cents: 600, reason: ' ' }, { cents: 'six' }])(
    'rejects %j with 400',
    async (body) => {
      const { ownerId } = await indebted(600);

      expect((await writeOff(ownerId, body)).status).toBe(400);
    },
  );

  it('is for admins, except for their own debt', async () => {
    const { ownerId } = await indebted(600);
    const { token } = await payments.signIn();
    const own = await payments.accounts.sign({ userId: ownerId, role: 'Admin' });

    expect((await writeOff(ownerId, { cents: 600 }, { token })).status).toBe(403);
    expect((await writeOff(ownerId, { cents: 600 }, { token: own })).status).toBe(403);
  });
});
