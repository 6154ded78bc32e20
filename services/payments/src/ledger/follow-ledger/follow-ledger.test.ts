import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EventData } from '@lendtools/contracts';
import { createLogger, Upstreams } from '@lendtools/service-kit';
import { httpClient, waitFor } from '@lendtools/testing';
import {
  cancellation,
  rejection,
  startTestPayments,
  type TestPayments,
} from '../../../test/payments-service.ts';
import type { Config } from '../../config.ts';
import { followLedger } from './follow-ledger.ts';

let payments: TestPayments;
beforeAll(async () => {
  payments = await startTestPayments({ replicas: 2 });
  payments.connectWebhooks();
});
afterAll(() => payments.stop());

type Bought = Awaited<ReturnType<TestPayments['buyAndPay']>>;

const [a, b] = [randomUUID(), randomUUID()].sort() as [string, string];
const shareOf = (bookingId: string, cents: number) => ({ bookingId, ownerId: randomUUID(), cents });
const shares = [shareOf(a, 3000), shareOf(b, 1200)];

const allocate = ({ paymentId }: Bought) => payments.shares.set(paymentId, shares);

/** Follows a payment now, as a second replica does. */
const follow = (paymentId: string): Promise<void> => {
  const { env, pool, stripe } = payments;
  const config = { INTERNAL_SECRET: [env.INTERNAL_SECRET] } as unknown as Config;
  const bookings = new Upstreams([env.BOOKINGS_URL as string]);
  const logger = createLogger('test', 'silent');
  return followLedger({ pool, stripe, bookings, config, logger }, paymentId);
};

/** Buys two bookings: A for $30 and B for $12. */
const buyTwo = async (card?: string): Promise<Bought> => {
  const bought = await payments.buyAndPay(card);
  await payments.hasBalances(bought.paymentId, { card: -4200, unallocated: 4200 });
  allocate(bought);
  await follow(bought.paymentId);
  return bought;
};
const pendingBoth = { [`pending ${a}`]: 3000, [`pending ${b}`]: 1200 };

const atBank = async (path: string, body: object = {}) => {
  const reply = await httpClient(payments.sandbox.url).post(`/sandbox/disputes${path}`, {
    token: 'sk_test_payments',
    body,
  });
  return reply.body;
};

const refundByHand = ({ intentId }: Bought, amount: number) =>
  payments.stripe.refunds.create({ payment_intent: intentId, amount });

const cancel = (bought: Bought, bookingId: string, cents: number) => {
  const event = cancellation(bought, cents);
  return payments.broker.send({ ...event, data: { ...event.data, bookingId } });
};

const refundRowOf = async ({ paymentId }: Bought) => {
  const { rows } = await payments.pool.query('SELECT * FROM refunds WHERE payment_id = $1', [
    paymentId,
  ]);
  return rows[0];
};

/** The latest shares that were published of a payment; undefined if none were. */
const publishedOf = ({ paymentId }: Bought) =>
  payments
    .published('PaymentSharesChanged', paymentId)
    .map(({ version, data }) => ({ version, ...(data as EventData<'PaymentSharesChanged'>) }))
    .toSorted((one, other) => one.version - other.version)
    .at(-1);

const gone = (bookingId: string, cents: object) => ({
  bookingId,
  outsideCents: 0,
  lostCents: 0,
  heldCents: 0,
  ...cents,
});

const publishes = (bought: Bought, expected: object[]) =>
  waitFor('the shares', () => isDeepStrictEqual(publishedOf(bought)?.shares, expected));

const movement = async (key: string) => {
  const { rows } = await payments.pool.query(
    `SELECT from_account AS "from", to_account AS "to", booking_id, cents::int FROM ledger WHERE key = $1 ORDER BY booking_id`,
    [key],
  );
  return rows;
};

const nextRunOf = async ({ paymentId }: Bought): Promise<number> => {
  const { rows } = await payments.pool.query<{ run_at: Date }>(
    `SELECT run_at FROM graphile_worker._private_jobs WHERE key = 'follow-ledger:' || $1`,
    [paymentId],
  );
  return rows[0] ? Math.round((rows[0].run_at.getTime() - Date.now()) / 1_000) : Number.NaN;
};

describe('the ledger of a payment', () => {
  it('contains its charge, and its shares once bookings has used it', async () => {
    const bought = await payments.buyAndPay();

    await payments.hasBalances(bought.paymentId, { card: -4200, unallocated: 4200 });
    await payments.followed(bought.paymentId);
    expect(await nextRunOf(bought)).toBeGreaterThan(30);
    allocate(bought);
    await payments.pool.query(
      `UPDATE graphile_worker._private_jobs SET run_at = now() WHERE key = 'follow-ledger:' || $1`,
      [bought.paymentId],
    );

    await payments.hasBalances(bought.paymentId, { card: -4200, ...pendingBoth });
    const { charge_id: chargeId } = await payments.row(bought.paymentId);
    const { charges } = await payments.ledger();
    expect(charges.find(({ id }) => id === chargeId)?.payment_intent).toBe(bought.intentId);
    await payments.followed(bought.paymentId);
    expect(await nextRunOf(bought)).toBeNaN();
  });

  it('contains what was captured of an authorization', async () => {
    const bought = await payments.authorize();
    await payments.stripe.paymentIntents.capture(bought.intentId, { amount_to_capture: 1000 });

    await payments.hasBalances(bought.paymentId, { card: -1000, unallocated: 1000 });
  });

  it('contains nothing of a payment that did not succeed', async () => {
    const bought = await payments.buy();

    await follow(bought.paymentId);

    expect(await payments.balances(bought.paymentId)).toEqual({});
  });

  it('follows a cancellation until its refund is made', async () => {
    const bought = await buyTwo();

    await cancel(bought, a, 2000);

    await payments.hasBalances(bought.paymentId, {
      card: -2200,
      [`pending ${a}`]: 1000,
      [`pending ${b}`]: 1200,
    });
  });

  it('follows a rejected payment', async () => {
    const bought = await payments.buyAndPay();

    await payments.broker.send(rejection(bought));

    await payments.hasBalances(bought.paymentId, {});
  });

  it('keeps a failed refund due, and follows its retry', async () => {
    const bought = await buyTwo('pm_card_refundFail');
    await cancel(bought, a, 3000);
    await waitFor('the failure', async () => (await refundRowOf(bought))?.status === 'failed');
    await payments.hasBalances(bought.paymentId, {
      card: -4200,
      [`due ${a}`]: 3000,
      [`pending ${b}`]: 1200,
    });

    await payments.pool.query('UPDATE refunds SET next_try_at = now() WHERE payment_id = $1', [
      bought.paymentId,
    ]);

    await payments.hasBalances(bought.paymentId, { card: -1200, [`pending ${b}`]: 1200 });
  });

  it('spreads a dashboard refund, and restores it when it fails', async () => {
    const bought = await buyTwo('pm_card_refundFail');

    const { id } = await refundByHand(bought, 700);

    // The refund is made for a moment only.
    await waitFor('the failure', async () => (await movement(`outside:${id}:failed`)).length > 0);
    expect(await movement(`outside:${id}`)).toEqual([
      { from: 'pending', to: 'card', booking_id: a, cents: 500 },
      { from: 'pending', to: 'card', booking_id: b, cents: 200 },
    ]);
    expect(await payments.balances(bought.paymentId)).toEqual({ card: -4200, ...pendingBoth });
  });

  it('keeps a refund due while a bank holds the money', async () => {
    const bought = await buyTwo();
    // The dispute delays the refund, so that it is not sent.
    const disputeId = (await atBank('', { payment_intent: bought.intentId, amount: 100 })).id;
    await waitFor('the dispute', async () => (await payments.row(bought.paymentId)).dispute);
    await cancel(bought, a, 3000);
    await payments.hasBalances(bought.paymentId, {
      card: -4200,
      bank: 100,
      disputes: -100,
      [`due ${a}`]: 3000,
      [`pending ${b}`]: 1200,
    });

    await atBank(`/${disputeId}/close`, { outcome: 'lost' });

    await payments.hasBalances(bought.paymentId, {
      card: -4200,
      bank: 100,
      [`due ${a}`]: 3000,
      [`pending ${b}`]: 1100,
    });
  });

  it('follows a dispute that is opened, lost in part, and won late', async () => {
    const bought = await buyTwo();

    const { id } = await atBank('', { payment_intent: bought.intentId });
    await payments.hasBalances(bought.paymentId, {
      card: -4200,
      bank: 4200,
      disputes: -4200,
      ...pendingBoth,
    });
    await atBank(`/${id}/close`, { outcome: 'lost', reinstated: 1400 });
    await payments.hasBalances(bought.paymentId, {
      card: -4200,
      bank: 2800,
      [`pending ${a}`]: 1000,
      [`pending ${b}`]: 400,
    });
    await atBank(`/${id}/close`, { outcome: 'won' });

    await payments.hasBalances(bought.paymentId, { card: -4200, ...pendingBoth });
  });

  it('ignores an inquiry, which takes no money', async () => {
    const bought = await buyTwo();

    await atBank('', { payment_intent: bought.intentId, inquiry: true });

    await waitFor('the inquiry', async () => (await payments.row(bought.paymentId)).dispute);
    await payments.followed(bought.paymentId);
    expect(await payments.balances(bought.paymentId)).toEqual({ card: -4200, ...pendingBoth });
  });

  it('posts each movement once when two replicas follow at once', async () => {
    const bought = await buyTwo();
    await refundByHand(bought, 700);

    await Promise.all([1, 2, 3, 4].map(() => follow(bought.paymentId)));

    await payments.hasBalances(bought.paymentId, {
      card: -3500,
      [`pending ${a}`]: 2500,
      [`pending ${b}`]: 1000,
    });
    const { rows } = await payments.pool.query(
      `SELECT key FROM ledger WHERE payment_id = $1 AND key LIKE 'outside:%'`,
      [bought.paymentId],
    );
    expect(rows).toHaveLength(2);
  });

  it('waits while Stripe is down', async () => {
    await payments.fault({ point: 'list', kind: 'error-500-before-effect', count: 3 });

    const bought = await payments.buyAndPay();

    await waitFor('the faults', async () => (await payments.faultsLeft()) === 0);
    await payments.pool.query(
      `UPDATE graphile_worker._private_jobs SET run_at = now() WHERE key = 'follow-ledger:' || $1`,
      [bought.paymentId],
    );
    await payments.hasBalances(bought.paymentId, { card: -4200, unallocated: 4200 });
  });
});

describe('followOldPayments', () => {
  it('posts a payment from before the ledger with all that happened to it', async () => {
    const bought = await buyTwo();
    await refundByHand(bought, 700);
    await cancel(bought, a, 2500);
    await payments.hasBalances(bought.paymentId, { card: -1000, [`pending ${b}`]: 1000 });
    // As before the migration: nothing is posted, and nothing is scheduled.
    await payments.followed(bought.paymentId);
    const id = bought.paymentId;

    await payments.pool.query(
      `ALTER TABLE ledger DISABLE TRIGGER reject_change_of_ledger;
       ALTER TABLE payments DISABLE TRIGGER follow_payment;
       DELETE FROM ledger WHERE payment_id = '${id}';
       DELETE FROM expected_transactions WHERE payment_id = '${id}';
       UPDATE payments SET ledger_read_at = NULL, shares_read_at = NULL, charge_id = NULL, succeeded_at = succeeded_at - interval '1 day' WHERE id = '${id}';
       ALTER TABLE payments ENABLE TRIGGER follow_payment;
       ALTER TABLE ledger ENABLE TRIGGER reject_change_of_ledger`,
    );

    await payments.hasBalances(bought.paymentId, { card: -1000, [`pending ${b}`]: 1000 });
  });
});

describe('PaymentSharesChanged', () => {
  it('is published with what a dashboard refund took of each booking, with the version of that refund or a later one', async () => {
    const bought = await buyTwo();

    await refundByHand(bought, 700);

    await publishes(bought, [gone(a, { outsideCents: 500 }), gone(b, { outsideCents: 200 })]);
    const [event] = payments.published('PaymentRefundedAtStripe', bought.paymentId);
    expect(publishedOf(bought)?.version).toBeGreaterThanOrEqual(event?.version ?? Infinity);
  });

  it('is published with what a bank holds, then with what it took', async () => {
    const bought = await buyTwo();
    const { id } = await atBank('', { payment_intent: bought.intentId });
    await publishes(bought, [gone(a, { heldCents: 3000 }), gone(b, { heldCents: 1200 })]);

    await atBank(`/${id}/close`, { outcome: 'lost' });

    await publishes(bought, [gone(a, { lostCents: 3000 }), gone(b, { lostCents: 1200 })]);
  });

  it('is published again once bookings has used a payment that was refunded in part', async () => {
    const bought = await payments.buyAndPay();
    await refundByHand(bought, 1400);
    await publishes(bought, []);
    const before = publishedOf(bought)?.version ?? 0;

    allocate(bought);
    await follow(bought.paymentId);

    await publishes(bought, [gone(a, { outsideCents: 1000 }), gone(b, { outsideCents: 400 })]);
    expect(publishedOf(bought)?.version).toBeGreaterThan(before);
  });

  it('is published again once bookings has used a payment that was refunded in full', async () => {
    const bought = await payments.buyAndPay();
    await refundByHand(bought, 4200);
    await publishes(bought, []);
    await payments.followed(bought.paymentId);
    expect(await nextRunOf(bought)).toBeGreaterThan(30);

    allocate(bought);
    await payments.pool.query(
      `UPDATE graphile_worker._private_jobs SET run_at = now() WHERE key = 'follow-ledger:' || $1`,
      [bought.paymentId],
    );

    await publishes(bought, [gone(a, { outsideCents: 3000 }), gone(b, { outsideCents: 1200 })]);
  });

  it('is published by a later reading if the payment changed during this one', async () => {
    const bought = await payments.buyAndPay();
    await refundByHand(bought, 1400);
    await publishes(bought, []);
    await payments.followed(bought.paymentId);
    allocate(bought);
    const other = await payments.pool.connect();
    await other.query('BEGIN');
    await other.query('UPDATE payments SET version = version + 1 WHERE id = $1', [
      bought.paymentId,
    ]);

    await payments.pool.query(`SELECT schedule_task('follow-ledger', $1, now())`, [
      bought.paymentId,
    ]);
    await waitFor('the reading', async () => {
      const { rowCount } = await payments.pool.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return rowCount === 1;
    });
    await other.query('COMMIT');
    other.release();

    await publishes(bought, [gone(a, { outsideCents: 1000 }), gone(b, { outsideCents: 400 })]);
  });

  it('is not published for a payment that nothing happened to, and not again without a change', async () => {
    const [bought, refunded] = [await buyTwo(), await buyTwo()];
    await refundByHand(refunded, 700);
    await publishes(refunded, [gone(a, { outsideCents: 500 }), gone(b, { outsideCents: 200 })]);
    await payments.followed(refunded.paymentId);
    const { version } = await payments.row(refunded.paymentId);

    for (const { paymentId } of [bought, refunded]) await follow(paymentId);

    expect(publishedOf(bought)).toBeUndefined();
    expect((await payments.row(refunded.paymentId)).version).toBe(version);
    expect((await payments.row(bought.paymentId)).published_shares).toBeNull();
  });

  it('is listed for bookings, in case the event is lost', async () => {
    const bought = await buyTwo();
    await refundByHand(bought, 700);
    await publishes(bought, [gone(a, { outsideCents: 500 }), gone(b, { outsideCents: 200 })]);
    await payments.pool.query(
      `UPDATE payments SET succeeded_at = now() - interval '3 minutes', stripe_changed_at = now() - interval '3 minutes' WHERE id = $1`,
      [bought.paymentId],
    );
    const since = new Date(Date.now() - 600_000).toISOString();

    const { body } = await payments.api.get(`/internal/payments?since=${since}`, {
      token: payments.env.INTERNAL_SECRET,
    });

    const listed = body.items.find(
      (item: { paymentId: string }) => item.paymentId === bought.paymentId,
    );
    expect(listed.shares).toEqual({
      version: publishedOf(bought)?.version,
      gone: publishedOf(bought)?.shares,
    });
  });
});
