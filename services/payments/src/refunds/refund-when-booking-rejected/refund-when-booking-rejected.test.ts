import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { metricIn, waitFor } from '@lendtools/testing';
import { failInserts } from '../../../test/database-failure.ts';
import { rejection, startTestPayments, type TestPayments } from '../../../test/payments-service.ts';

const queue = 'payments.refund-when-booking-rejected';

let payments: TestPayments;

beforeAll(async () => {
  payments = await startTestPayments();
});

afterAll(() => payments.stop());

describe(queue, () => {
  it('refunds the whole payment once and publishes it', async () => {
    const bought = await payments.buyAndPay();

    await payments.broker.send(rejection(bought));

    const event = await refunded(bought.paymentId);
    expect(event.data).toEqual({
      paymentId: bought.paymentId,
      userId: bought.userId,
      holdId: bought.holdId,
      refundId: expect.stringMatching(/^re_/),
      refundCents: 4200,
      reason: 'slot-lost',
      bookingId: null,
      toolNames: ['Drill'],
    });
    expect(await refundsOf(bought.intentId)).toEqual([4200]);
    expect(await payments.row(bought.paymentId)).toMatchObject({
      status: 'refunded',
      refunded_cents: 4200,
    });
    expect(await payments.confirm(bought)).toMatchObject({
      status: 200,
      body: { payment: { status: 'refunded' } },
    });
  });

  it('refunds the whole payment when the bookings service could not settle it', async () => {
    const bought = await payments.buyAndPay();
    const event = rejection(bought);

    await payments.broker.send({ ...event, data: { ...event.data, reason: 'unsettled' } });

    expect((await refunded(bought.paymentId)).data).toMatchObject({
      refundCents: 4200,
      reason: 'unsettled',
    });
  });

  it('refunds nothing more for a duplicate or a second event about the same payment', async () => {
    const bought = await payments.buyAndPay();
    const event = rejection(bought);

    const other = rejection(bought);
    await payments.broker.send(event);
    await payments.broker.send(event);
    await payments.broker.send(other);

    await refunded(bought.paymentId);
    await waitFor('both to be handled', async () => (await countInbox([event.id, other.id])) === 2);
    expect(await refundsOf(bought.intentId)).toEqual([4200]);
    expect(payments.published('PaymentRefunded', bought.paymentId)).toHaveLength(1);
  });

  it('dead-letters a poison message and continues', async () => {
    const bought = await payments.buyAndPay();
    const before = await payments.broker.countDead(queue);

    await payments.broker.sendRaw(queue, '{"type": "BookingRejected"');
    await payments.broker.send(rejection(bought));

    await refunded(bought.paymentId);
    await waitFor(
      'a dead letter',
      async () => (await payments.broker.countDead(queue)) === before + 1,
    );
  });

  it('never refunds more than was charged', async () => {
    const bought = await payments.buyAndPay();

    await payments.broker.send(rejection(bought, 4201));

    await refunded(bought.paymentId);
    expect(await refundsOf(bought.intentId)).toEqual([4200]);
  });

  it('refunds nothing for a rejection that the bookings service does not confirm, and counts the rejection', async () => {
    const bought = await payments.buyAndPay();
    const before = await payments.broker.countDead(queue);
    const unowedBefore = await countUnowed();

    await payments.broker.sendRaw(queue, JSON.stringify(rejection(bought)));

    await waitFor(
      'a dead letter',
      async () => (await payments.broker.countDead(queue)) === before + 1,
    );
    expect(await payments.row(bought.paymentId)).toMatchObject({ reserved_cents: 0 });
    expect(await refundsOf(bought.intentId)).toEqual([]);
    // Each of the event's ten tries calls the bookings service.
    expect(await countUnowed()).toBe(unowedBefore + 10);
  });

  it('refunds nothing if the amount differs from what the bookings service decided', async () => {
    const bought = await payments.buyAndPay();
    const before = await payments.broker.countDead(queue);
    payments.refundsOwed.push({ ...rejection(bought, 1000).data, bookingId: null, grantId: null });

    await payments.broker.sendRaw(queue, JSON.stringify(rejection(bought, 4200)));

    await waitFor(
      'a dead letter',
      async () => (await payments.broker.countDead(queue)) === before + 1,
    );
    expect(await refundsOf(bought.intentId)).toEqual([]);
  });

  it('keeps retrying during an outage of the bookings service, beyond ten tries, without dead-lettering', async () => {
    const bought = await payments.buyAndPay();
    const before = await payments.broker.countDead(queue);
    payments.bookingsOutage.requests = 25;

    await payments.broker.send(rejection(bought));

    await refunded(bought.paymentId);
    expect(payments.bookingsOutage.requests).toBeLessThan(0);
    expect(await payments.broker.countDead(queue)).toBe(before);
  });

  it('retries after a transient failure', async () => {
    const bought = await payments.buyAndPay();
    await failInserts(payments.pool, 'refunds', 2);

    await payments.broker.send(rejection(bought));

    await refunded(bought.paymentId);
    expect(await refundsOf(bought.intentId)).toEqual([4200]);
  });

  it('retries an event that arrives before the payment has succeeded', async () => {
    const bought = await payments.buy();
    await payments.pay(bought.intentId);
    await payments.broker.send(rejection(bought));

    await payments.confirm(bought);

    await refunded(bought.paymentId);
    expect(await refundsOf(bought.intentId)).toEqual([4200]);
  });

  it.each([
    ['the reply to the refund is lost', { kind: 'reset-after-effect', count: 3 }],
    ['Stripe answers 500 after refunding, and keeps that', { kind: 'error-500-after-effect' }],
    ['Stripe answers 500 without refunding', { kind: 'error-500-before-effect', count: 3 }],
    ['Stripe is busy', { kind: '429', count: 2 }],
  ])("refunds a rejected booking's payment once when %s", async (_what, fault) => {
    const bought = await payments.buyAndPay();
    await payments.fault({ point: 'refund', ...fault });

    await payments.broker.send(rejection(bought));

    await refunded(bought.paymentId);
    expect(await refundsOf(bought.intentId)).toEqual([4200]);
    expect(payments.published('PaymentRefunded', bought.paymentId)).toHaveLength(1);
  });
});

const refunded = (paymentId: string) =>
  waitFor('PaymentRefunded', () => payments.published('PaymentRefunded', paymentId)[0]);

const refundsOf = async (intentId: string): Promise<number[]> => {
  const { refunds } = await payments.ledger();
  return refunds.filter((one) => one.payment_intent === intentId).map((one) => one.amount);
};

const countUnowed = async (): Promise<number> => {
  const { body } = await payments.api.get('/metrics');
  return metricIn(body, 'refunds_not_owed_total');
};

const countInbox = async (ids: string[]): Promise<number> => {
  const { rows } = await payments.pool.query(
    'SELECT 1 FROM inbox_messages WHERE event_id = ANY($1)',
    [ids],
  );
  return rows.length;
};
