import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EventData } from '@lendtools/contracts';
import { waitFor } from '@lendtools/testing';
import { rejection, startTestPayments, type TestPayments } from '../../test/payments-service.ts';

let payments: TestPayments;
beforeAll(async () => {
  payments = await startTestPayments({ replicas: 2 });
  payments.connectWebhooks();
});
afterAll(() => payments.stop());

type Bought = Awaited<ReturnType<TestPayments['buyAndPay']>>;

const refundByHand = ({ intentId }: Bought, amount?: number) =>
  payments.stripe.refunds.create({ payment_intent: intentId, ...(amount && { amount }) });

const publishedNews = ({ paymentId }: Bought) =>
  payments
    .published('PaymentRefundedAtStripe', paymentId)
    .map((event) => event.data as EventData<'PaymentRefundedAtStripe'>);

const refundedCentsOf = async ({ intentId }: Bought): Promise<number> => {
  const { charges } = await payments.ledger();
  return charges.find((one) => one.payment_intent === intentId)?.amount_refunded ?? 0;
};

describe('a refund in the dashboard', () => {
  it('is counted and published once for repeated webhooks', async () => {
    await payments.fault({ point: 'webhook', kind: 'duplicate', count: 2 });
    const bought = await payments.buyAndPay();

    const { id } = await refundByHand(bought, 1200);

    await waitFor('the event', () => publishedNews(bought).length === 1);
    expect(publishedNews(bought)).toEqual([
      {
        paymentId: bought.paymentId,
        userId: bought.userId,
        holdId: bought.holdId,
        refundId: id,
        refundCents: 1200,
        outcome: 'refunded',
        outsideCents: 1200,
        disputedCents: 0,
        heldCents: 0,
        dispute: null,
      },
    ]);
    expect(await payments.row(bought.paymentId)).toMatchObject({
      status: 'succeeded',
      outside_cents: 1200,
      reserved_cents: 0,
    });
  });

  it('reduces a refund that the bookings service ordered before it recorded the dashboard refund', async () => {
    const bought = await payments.buyAndPay();
    await refundByHand(bought, 1200);
    await waitFor('the event', () => publishedNews(bought).length === 1);

    await payments.broker.send(rejection(bought, 4200));

    const { data } = await payments.broker.expectEvent(
      'PaymentRefunded',
      (one) => one.paymentId === bought.paymentId,
    );
    expect(data.refundCents).toBe(3000);
    expect(await refundedCentsOf(bought)).toBe(4200);
    expect(await payments.row(bought.paymentId)).toMatchObject({ status: 'refunded' });
  });

  it('voids our failed refund of the same money', async () => {
    const bought = await payments.buyAndPay('pm_card_pendingRefundFail');
    await payments.broker.send(rejection(bought));
    await waitFor('the failure', async () => (await refundRowOf(bought))?.status === 'failed');

    await refundByHand(bought);

    await waitFor(
      'the end of the refund',
      async () => (await refundRowOf(bought))?.status === 'voided',
    );
    expect(await payments.row(bought.paymentId)).toMatchObject({
      status: 'refunded',
      reserved_cents: 0,
      outside_cents: 4200,
    });
    expect(await refundedCentsOf(bought)).toBe(4200);
  });

  it('reduces our refund that a bank returned, without changing its backoff', async () => {
    const bought = await payments.buyAndPay('pm_card_pendingRefundFail');
    await payments.broker.send(rejection(bought));
    await waitFor('the failure', async () => (await refundRowOf(bought))?.status === 'failed');
    const { next_try_at: nextTry } = await refundRowOf(bought);

    await refundByHand(bought, 1_200);

    await waitFor(
      'the smaller refund',
      async () => (await refundRowOf(bought))?.amount_cents === 3_000,
    );
    expect(await refundRowOf(bought)).toMatchObject({ next_try_at: nextTry, attempt: 2 });
  });

  it('is published again if it fails after all, because its money is refundable again', async () => {
    const bought = await payments.buyAndPay('pm_card_refundFail');
    await refundByHand(bought, 1200);

    await waitFor('both events', () => publishedNews(bought).length === 2);
    await payments.broker.send(rejection(bought));

    expect(
      publishedNews(bought).map(({ outcome, outsideCents }) => [outcome, outsideCents]),
    ).toEqual([
      ['refunded', 1200],
      ['failed', 0],
    ]);
    await payments.broker.expectEvent(
      'PaymentRefunded',
      (one) => one.paymentId === bought.paymentId && one.refundCents === 4200,
    );
  });

  it('is replaced by one separate refund if it fails, in addition to our refund of the remainder', async () => {
    const bought = await payments.buyAndPay('pm_card_refundFail');
    await refundByHand(bought, 1_500);
    await payments.broker.send(rejection(bought, 2_700));
    await waitFor('both events', () => publishedNews(bought).length === 2);

    const { data } = rejection(bought, 1_500);
    payments.refundsOwed.push({ ...data, bookingId: null, grantId: randomUUID() });
    const compare = () => payments.pool.query('UPDATE reconciliations SET next_at = now()');
    await compare();

    const refunded = () => payments.published('PaymentRefunded', bought.paymentId);
    await waitFor('both refunds', () => refunded().length === 2);
    await compare();
    expect(await refundedCentsOf(bought)).toBe(4_200);
    expect(await payments.row(bought.paymentId)).toMatchObject({
      status: 'refunded',
      reserved_cents: 4_200,
      outside_cents: 0,
      refunded_cents: 4_200,
    });
  });

  it('settles the payment first if the payment’s own event arrives later', async () => {
    const bought = await payments.buy();
    await payments.fault({ point: 'webhook', kind: 'delay', delayMs: 600, count: 3 });
    await payments.pay(bought.intentId);

    await payments.stripe.refunds.create({ payment_intent: bought.intentId, amount: 500 });

    const { version } = await payments.broker.expectEvent(
      'PaymentRefundedAtStripe',
      (one) => one.paymentId === bought.paymentId,
    );
    expect(version).toBe(3);
    expect(payments.published('PaymentSucceeded', bought.paymentId)).toMatchObject([
      { version: 2 },
    ]);
  });

  it('is ignored if it belongs to another program on the account', async () => {
    const foreign = await payments.stripe.paymentIntents.create({ amount: 999, currency: 'usd' });
    await payments.pay(foreign.id);
    const { id } = await payments.stripe.refunds.create({ payment_intent: foreign.id });

    await waitFor('its webhook', async () => {
      const { deliveries, events } = await payments.ledger();
      const created = events.find(
        (one) => one.type === 'refund.created' && one.data.object.id === id,
      );
      return deliveries.some((one) => one.event === created?.id && one.delivered);
    });

    const { rows } = await payments.pool.query('SELECT FROM outside_refunds WHERE refund_id = $1', [
      id,
    ]);
    expect(rows).toEqual([]);
  });

  it('never exceeds the charge together with a concurrent refund of ours', async () => {
    const bought = await payments.buyAndPay();

    await Promise.all([
      payments.broker.send(rejection(bought)),
      refundByHand(bought, 1200).catch(() => {}),
      refundByHand(bought, 1300).catch(() => {}),
    ]);

    await waitFor('the full refund', async () => {
      await payments.pool.query('UPDATE refunds SET next_try_at = now() WHERE payment_id = $1', [
        bought.paymentId,
      ]);
      return (await payments.row(bought.paymentId)).status === 'refunded';
    });
    expect(await refundedCentsOf(bought)).toBe(4200);
  });

  it('can’t exceed the charge, by a database constraint', async () => {
    const bought = await payments.buyAndPay();

    const tooMuch = payments.pool.query('UPDATE payments SET outside_cents = 4201 WHERE id = $1', [
      bought.paymentId,
    ]);

    await expect(tooMuch).rejects.toMatchObject({ constraint: 'payments_refunds_fit' });
  });

  it('is found in the list of events if its webhook is lost', async () => {
    const bought = await payments.buyAndPay();
    await payments.fault({ point: 'webhook', kind: 'drop', count: 2 });
    await refundByHand(bought, 700);
    await waitFor('the lost webhooks', async () => (await payments.faultsLeft()) === 0);

    await payments.pool.query(
      `UPDATE reconciliations SET next_at = now() WHERE name = 'stripe-events'`,
    );

    const { data } = await payments.broker.expectEvent(
      'PaymentRefundedAtStripe',
      (one) => one.paymentId === bought.paymentId,
    );
    expect(data.outsideCents).toBe(700);
  });
});

const refundRowOf = async ({ paymentId }: Bought) => {
  const { rows } = await payments.pool.query('SELECT * FROM refunds WHERE payment_id = $1', [
    paymentId,
  ]);
  return rows[0];
};
