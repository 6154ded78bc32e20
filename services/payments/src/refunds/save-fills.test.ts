import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLogger, inTransaction } from '@lendtools/service-kit';
import { httpClient, waitFor } from '@lendtools/testing';
import type Stripe from 'stripe';
import {
  cancellation,
  rejection,
  startTestPayments,
  type TestPayments,
} from '../../test/payments-service.ts';
import { settleRefund } from './settle-refund.ts';

let payments: TestPayments;
const logger = createLogger('test', 'silent');
beforeAll(async () => {
  payments = await startTestPayments();
  payments.connectWebhooks();
});
afterAll(() => payments.stop());

type Bought = Awaited<ReturnType<TestPayments['buyAndPay']>>;

const atBank = async (path: string, body: object = {}) =>
  (
    await httpClient(payments.sandbox.url).post(`/sandbox/disputes${path}`, {
      token: 'sk_test_payments',
      body,
    })
  ).body;

const refundByHand = ({ intentId }: Bought, amount: number) =>
  payments.stripe.refunds.create({ payment_intent: intentId, amount });

const fillsOf = async ({ paymentId }: Bought): Promise<[cents: number, status: string][]> => {
  const { rows } = await payments.pool.query(
    'SELECT amount_cents AS cents, status FROM refunds WHERE payment_id = $1 ORDER BY created_at, key',
    [paymentId],
  );
  return rows.map(({ cents, status }) => [cents, status]);
};

/** Waits until the refunds have these amounts and statuses. */
const has = async (bought: Bought, ...expected: [number, string][]) => {
  let found: unknown;
  await waitFor('the refunds', async () => {
    found = await fillsOf(bought);
    return JSON.stringify(found) === JSON.stringify(expected);
  }).catch(() => expect(found).toEqual(expected));
};

const isCounted = (bought: Bought, cents: number) =>
  waitFor(
    'the dashboard refund',
    async () => (await payments.row(bought.paymentId)).outside_cents === cents,
  );

describe('a refund order', () => {
  it('is filled as money becomes available', async () => {
    const bought = await payments.buyAndPay('pm_card_refundFail');
    payments.shares.set(bought.paymentId, []);
    // The first refund to this card succeeds, and fails later.
    await refundByHand(bought, 1200);
    await isCounted(bought, 1200);
    await payments.broker.send(rejection(bought));

    await isCounted(bought, 0);
    await waitFor('the whole order', async () => {
      await payments.pool.query(
        `UPDATE refunds SET next_try_at = now() WHERE payment_id = $1 AND status <> 'succeeded'`,
        [bought.paymentId],
      );
      return (await payments.row(bought.paymentId)).status === 'refunded';
    });

    expect((await fillsOf(bought)).reduce((sum, [cents]) => sum + cents, 0)).toBe(4200);
    expect(await payments.row(bought.paymentId)).toMatchObject({
      outside_cents: 0,
      reserved_cents: 4200,
      refunded_cents: 4200,
    });
  });

  it('waits for a dispute, is closed by its loss, and is filled again by a late win', async () => {
    const bought = await payments.buyAndPay();
    const { id } = await atBank('', { payment_intent: bought.intentId });
    await waitFor(
      'the dispute',
      async () => (await payments.row(bought.paymentId)).held_cents === 4200,
    );
    await payments.broker.send(rejection(bought));
    await has(bought, [4200, 'pending']);

    await atBank(`/${id}/close`, { outcome: 'lost' });
    await has(bought, [4200, 'voided']);
    await atBank(`/${id}/close`, { outcome: 'won' });

    await has(bought, [4200, 'voided'], [4200, 'succeeded']);
    const { refunds } = await payments.ledger();
    expect(
      refunds.filter((one) => one.payment_intent === bought.intentId).map(({ amount }) => amount),
    ).toEqual([4200]);
    expect(await payments.row(bought.paymentId)).toMatchObject({
      status: 'refunded',
      reserved_cents: 4200,
    });
  });

  it("takes only its own booking's share, and leaves the rest to the other booking", async () => {
    const bought = await payments.buyAndPay();
    const [first, second] = [cancellation(bought, 3000), cancellation(bought, 1200)];
    const share = ({ data }: typeof first, cents: number) => ({
      bookingId: data.bookingId,
      ownerId: data.ownerId,
      cents,
    });
    payments.shares.set(bought.paymentId, [share(first, 3000), share(second, 1200)]);
    await refundByHand(bought, 2100);
    await isCounted(bought, 2100);

    await payments.broker.send(first);
    await has(bought, [1500, 'succeeded']);
    await payments.broker.send(second);

    await has(bought, [1500, 'succeeded'], [600, 'succeeded']);
    expect(await payments.row(bought.paymentId)).toMatchObject({ status: 'refunded' });
  });

  it('counts a refund that Stripe made although it was voided', async () => {
    const bought = await payments.buyAndPay();
    const { id } = await atBank('', { payment_intent: bought.intentId });
    await waitFor('the dispute', async () => (await payments.row(bought.paymentId)).held_cents);
    await payments.broker.send(rejection(bought));
    await has(bought, [4200, 'pending']);
    await atBank(`/${id}/close`, { outcome: 'lost' });
    await has(bought, [4200, 'voided']);
    const made = {
      id: 're_late',
      amount: 4200,
      status: 'succeeded',
      payment_intent: bought.intentId,
      metadata: { refundKey: `refund:${bought.paymentId}` },
    } as unknown as Stripe.Refund;

    await inTransaction(payments.pool, (tx) => settleRefund(tx, made, logger));

    await payments.followed(bought.paymentId);
    expect(await fillsOf(bought)).toEqual([[4200, 'succeeded']]);
    expect(await payments.row(bought.paymentId)).toMatchObject({
      reserved_cents: 4200,
      refunded_cents: 4200,
    });
  });
});
