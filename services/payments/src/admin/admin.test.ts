import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { MoneyMonth, Work, WorkKind } from '@lendtools/contracts';
import { waitFor } from '@lendtools/testing';
import { insertShare } from '../../test/ledger-entries.ts';
import { rejection, startTestPayments, type TestPayments } from '../../test/payments-service.ts';
import { transfersOf } from '../../test/transfers.ts';
import { sumMoneyByMonth } from '../store/money-flow-repository.ts';
import { findStripeObject } from '../store/work-repository.ts';

let payments: TestPayments;
let transfers: ReturnType<typeof transfersOf>;
let admin: string;
beforeAll(async () => {
  payments = await startTestPayments();
  payments.connectWebhooks();
  transfers = transfersOf(payments);
  admin = await payments.accounts.sign({ role: 'Admin' });
});
afterAll(() => payments.stop());

const get = (path: string, token = admin) => payments.api.get(`/api/admin/${path}`, { token });

const work = async (kind: WorkKind): Promise<Work | undefined> =>
  (await get('work/payments')).body.work.find((one: Work) => one.kind === kind);

const failRefund = async () => {
  const bought = await payments.buyAndPay('pm_card_refundFail');
  await payments.broker.send(rejection(bought));
  await waitFor('the refund to fail', async () => {
    const { rows } = await payments.pool.query(
      `SELECT FROM refunds WHERE payment_id = $1 AND status = 'failed'`,
      [bought.paymentId],
    );
    return rows.length > 0;
  });
  return bought;
};

describe('GET /api/admin/work/payments', () => {
  it('counts disputes with the first deadline, failed refunds, and stuck transfers, each with the oldest', async () => {
    const nothing = { count: 0, since: null, dueAt: null };
    for (const kind of ['dispute', 'fraud-warning', 'refund', 'transfer'] as const)
      expect(await work(kind)).toEqual({ kind, ...nothing });

    const disputed = await transfers.released(randomUUID());
    await transfers.dispute(disputed);
    await failRefund();
    const { owner, accountId } = await transfers.accounts.ready();
    await payments.restrict(accountId);
    const lent = await transfers.released(owner.userId);
    await transfers.rejected(lent);
    const waitsForOwner = await work('transfer');
    await payments.pool.query(
      `BEGIN; SET LOCAL session_replication_role = replica;
       UPDATE payout_accounts SET state = 'ready' WHERE owner_id = '${owner.userId}'; COMMIT`,
    );

    expect(await work('dispute')).toEqual({
      kind: 'dispute',
      count: 1,
      since: expect.any(String),
      dueAt: expect.any(String),
    });
    expect(await work('refund')).toMatchObject({ count: 1, since: expect.any(String) });
    expect(await work('transfer')).toMatchObject({ count: 1, since: expect.any(String) });
    expect(waitsForOwner?.count).toBeLessThanOrEqual(1);
    expect(await work('dead-letter')).toMatchObject({ count: 0 });
  });

  it('rejects members with 403, like the other lists', async () => {
    const { token } = await payments.signIn();

    for (const path of ['work/payments', 'refunds', 'stripe/pi_1', 'money'])
      expect((await get(path, token)).status).toBe(403);
  });
});

describe('GET /api/admin/refunds', () => {
  it('lists what Stripe could not refund, with its reason, and pages', async () => {
    const [first, second] = [await failRefund(), await failRefund()];

    const { body } = await get('refunds');
    const page = (await get('refunds?limit=1')).body;
    const next = (await get(`refunds?cursor=${page.nextCursor}`)).body;

    const paymentIds = body.refunds.map(({ paymentId }: { paymentId: string }) => paymentId);
    expect(paymentIds.slice(-2)).toEqual([first.paymentId, second.paymentId]);
    expect(body.refunds.at(-1)).toMatchObject({
      amountCents: 4_200,
      error: expect.any(String),
      since: expect.any(String),
      nextTryAt: expect.any(String),
      stripeUrl: `${payments.sandbox.url}/dashboard`,
      bookings: [],
    });
    expect([...page.refunds, ...next.refunds]).toEqual(body.refunds);
  });
});

describe('GET /api/admin/stripe/:stripeId', () => {
  it("finds the payment, the transfer and the account of Stripe's ids", async () => {
    const { owner, accountId } = await transfers.accounts.ready();
    const lent = await transfers.released(owner.userId);
    await transfers.isSent(lent);
    const [transfer] = await transfers.atStripe(lent);
    const { paymentId } = lent;

    expect((await get(`stripe/${lent.intentId}`)).body).toMatchObject({
      kind: 'payment',
      paymentId,
      ownerId: null,
    });
    expect((await get(`stripe/${transfer?.id}`)).body).toMatchObject({
      kind: 'transfer',
      paymentId,
      ownerId: owner.userId,
    });
    expect((await get(`stripe/${accountId}`)).body).toEqual({
      kind: 'account',
      paymentId: null,
      ownerId: owner.userId,
      bookings: [],
    });
  });

  it('finds a dispute and a refund, ours or made in the dashboard', async () => {
    const disputed = await transfers.released(randomUUID());
    const disputeId = await transfers.dispute(disputed);
    const { paymentId } = await failRefund();
    const { rows } = await payments.pool.query(
      'SELECT refund_id FROM refunds WHERE payment_id = $1',
      [paymentId],
    );
    await payments.pool.query(
      `INSERT INTO outside_refunds (refund_id, payment_id, amount_cents, status) VALUES ('re_outside', $1, 1, 'failed')`,
      [paymentId],
    );

    expect((await get(`stripe/${disputeId}`)).body).toMatchObject({
      kind: 'dispute',
      paymentId: disputed.paymentId,
    });
    for (const id of [rows[0].refund_id, 're_outside'])
      expect((await get(`stripe/${id}`)).body).toMatchObject({ kind: 'refund', paymentId });
  });

  it('finds the booking that a refund is of', async () => {
    const { paymentId } = await payments.buyAndPay();
    const bookingId = randomUUID();
    const client = await payments.pool.connect();
    await client.query('BEGIN');
    await client.query(
      `INSERT INTO refunds (key, payment_id, booking_id, amount_cents, reason, tool_names, status, refund_id)
       VALUES ('test', $1, $2, 1, 'cancelled', '{Drill}', 'succeeded', 're_of_booking')`,
      [paymentId, bookingId],
    );

    const found = await findStripeObject(client, 're_of_booking');

    await client.query('ROLLBACK');
    client.release();
    expect(found).toMatchObject({ kind: 'refund', paymentId, bookingId });
  });

  it('replies 404 to an unknown id, and 400 to anything else', async () => {
    expect((await get('stripe/pi_unknown')).body.code).toBe('STRIPE_OBJECT_NOT_FOUND');
    expect((await get('stripe/po_unknown')).status).toBe(404);
    for (const id of ['xx_1', 'pi_', "pi_1'--"])
      expect((await get(`stripe/${encodeURIComponent(id)}`)).status).toBe(400);
  });
});

describe('GET /api/admin/money', () => {
  const thisMonth = async (): Promise<MoneyMonth> => (await get('money?months=1')).body.months[0];

  it('adds up what was charged, refunded, paid out and earned, by the ledger', async () => {
    const before = await thisMonth();
    const { owner } = await transfers.accounts.ready();
    const lent = await transfers.released(owner.userId);
    await transfers.isSent(lent);
    const rejected = await payments.buyAndPay();
    await payments.hasBalances(rejected.paymentId, { card: -4200, unallocated: 4200 });
    await payments.broker.send(rejection(rejected));
    await payments.hasBalances(rejected.paymentId, {});

    const after = await thisMonth();

    expect({
      charged: after.chargedCents - before.chargedCents,
      refunded: after.refundedCents - before.refundedCents,
      paidOut: after.paidOutCents - before.paidOutCents,
      commission: after.commissionCents - before.commissionCents,
    }).toEqual({ charged: 8_400, refunded: 4_200, paidOut: 3_780, commission: 420 });
  });

  it('sums a month that is over only once', async () => {
    const twoMonthsAgo = async (): Promise<MoneyMonth> =>
      (await get('money?months=3')).body.months[2];
    const before = await twoMonthsAgo();
    const at = new Date(`${before.month}-15T12:00:00Z`).toISOString();

    await insertShare(payments.pool, {
      ownerId: randomUUID(),
      movements: [{ key: 'share', at, moves: [['card', 'pending', 4_000]] }],
    });

    expect(await twoMonthsAgo()).toEqual(before);
    const [, , summed] = await sumMoneyByMonth(payments.pool, { months: 3 });
    expect(summed?.chargedCents).toBe(before.chargedCents + 4_000);
  });

  it('lists months without a gap, the current one first', async () => {
    const { body } = await get('money?months=13');

    expect(body.months).toHaveLength(13);
    expect(body.months[0].month).toBe(new Date().toISOString().slice(0, 7));
    expect(body.months[12]).toMatchObject({ chargedCents: 0, commissionCents: 0 });
    expect(new Set(body.months.map(({ month }: MoneyMonth) => month)).size).toBe(13);
    expect((await get('money?months=14')).status).toBe(400);
  });
});
