import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newEvent } from '@lendtools/event-bus';
import { waitFor } from '@lendtools/testing';
import {
  acceptance,
  cancellation,
  startTestPayments,
  type TestPayments,
} from '../../../test/payments-service.ts';

let payments: TestPayments;

beforeAll(async () => {
  payments = await startTestPayments({ replicas: 2 });
});
beforeEach(() => payments.clearFaults());
afterAll(() => payments.stop());

const chargeOf = async (intentId: string) => {
  const { charges } = await payments.ledger();
  return charges.filter((one) => one.payment_intent === intentId);
};
const succeeded = (paymentId: string) =>
  payments.broker.expectEvent('PaymentSucceeded', (data) => data.paymentId === paymentId);
const failed = (paymentId: string) =>
  payments.broker.expectEvent('PaymentFailed', (data) => data.paymentId === paymentId);
const reportsOf = (paymentId: string) =>
  payments.authorizations.filter((one) => one.paymentId === paymentId);

describe('the payment of a hold that needs approval', () => {
  it('authorizes the card without a charge and reports the authorization to the bookings service', async () => {
    const bought = await payments.buy({ onRequest: true });
    await payments.pay(bought.intentId);

    const confirmed = await payments.confirm(bought);

    const report = await payments.reported(bought.paymentId, 'authorized');
    const { holdId, paymentId, userId } = bought;
    expect(confirmed).toMatchObject({
      status: 200,
      body: { payment: { status: 'authorized', amount: 4200, refunded: 0 } },
    });
    expect(report).toEqual({ holdId, paymentId, userId, amountCents: 4200, status: 'authorized' });
    expect(await chargeOf(bought.intentId)).toMatchObject([{ captured: false }]);
    expect(payments.published('PaymentSucceeded', paymentId)).toEqual([]);
    const metrics = await (await fetch(`${payments.url}/metrics`)).text();
    expect(metrics).toMatch(/payments_total\{status="authorized"/);
  });

  it('keeps an authorization after the end of its hold', async () => {
    const bought = await payments.authorize();

    await payments.checkNow(bought.paymentId);
    await waitFor('another check', async () => reportsOf(bought.paymentId).length === 2);
    await payments.rests(bought.paymentId);

    expect(reportsOf(bought.paymentId)).toHaveLength(2);
    expect(await payments.row(bought.paymentId)).toMatchObject({
      status: 'pending',
      expires_at: Number.POSITIVE_INFINITY,
    });
  });

  it.each([
    [1, 5],
    [5 * 60, 30],
    [3 * 24 * 60, 60],
  ])(
    'checks older authorizations less often: at an age of %i minutes, again %i minutes later',
    async (ageMinutes, laterMinutes) => {
      const bought = await payments.authorize();
      await payments.rests(bought.paymentId);
      await payments.pool.query(
        `UPDATE payments SET authorized_at = now() - $2 * interval '1 minute' WHERE id = $1`,
        [bought.paymentId, ageMinutes],
      );
      const before = Date.now();

      await payments.checkNow(bought.paymentId);
      await waitFor('another check', async () => reportsOf(bought.paymentId).length === 2);
      // Wait for a check more than two minutes ahead. Before that, the stored time is the end of the claim's lease.
      const next = await waitFor('the next check', async () => {
        const { next_check_at: at } = await payments.row(bought.paymentId);
        return at - before > 120_000 && at;
      });

      const waitMinutes = (next - before) / 60_000;
      expect(waitMinutes).toBeGreaterThanOrEqual(laterMinutes - 0.1);
      expect(waitMinutes).toBeLessThan(laterMinutes + 4);
    },
  );

  it('charges once when the owner accepts, even if the event is repeated', async () => {
    const bought = await payments.authorize();
    payments.approvals.set(bought.holdId, 'accepted');
    const event = acceptance(bought);

    for (const _ of [1, 2, 3]) await payments.broker.send(event);

    const { data } = await succeeded(bought.paymentId);
    expect(data).toMatchObject({ amountCents: 4200, holdId: bought.holdId });
    expect(await chargeOf(bought.intentId)).toMatchObject([
      { captured: true, amount_captured: 4200 },
    ]);
    expect((await payments.confirm(bought)).body.payment.status).toBe('succeeded');
  });

  it('charges an accepted request even if the event is lost', async () => {
    const bought = await payments.authorize();
    payments.approvals.set(bought.holdId, 'accepted');

    await payments.checkNow(bought.paymentId);

    await succeeded(bought.paymentId);
  });

  it("counts the uncaptured cents as refunded after a partial capture in Stripe's dashboard, and refunds at most the captured cents", async () => {
    const bought = await payments.authorize();

    await payments.stripe.paymentIntents.capture(bought.intentId, { amount_to_capture: 1000 });
    await payments.confirm(bought);

    await succeeded(bought.paymentId);
    const { data } = await payments.broker.expectEvent(
      'PaymentRefundedAtStripe',
      ({ paymentId }) => paymentId === bought.paymentId,
    );
    expect(data).toMatchObject({ refundCents: 3200 });
    await payments.broker.send(cancellation(bought, 4200));
    await payments.broker.expectEvent(
      'PaymentRefunded',
      ({ paymentId }) => paymentId === bought.paymentId,
    );
    const { refunds } = await payments.ledger();
    expect(refunds.filter((one) => one.payment_intent === bought.intentId)).toMatchObject([
      { amount: 1000, status: 'succeeded' },
    ]);
    expect(await payments.row(bought.paymentId)).toMatchObject({ status: 'refunded' });
  });

  it('does not charge if the bookings service does not confirm the event', async () => {
    const bought = await payments.authorize();

    await payments.broker.send(acceptance(bought));

    await waitFor('the report to bookings', async () => reportsOf(bought.paymentId).length >= 2);
    await payments.rests(bought.paymentId);
    expect(await chargeOf(bought.intentId)).toMatchObject([{ captured: false }]);
  });

  it.each([
    { point: 'capture', kind: 'reset-after-effect', count: 3 },
    { point: 'capture', kind: 'error-500-after-effect', count: 3 },
    { point: 'capture', kind: 'error-500-before-effect', count: 3 },
  ])('charges once when the reply of Stripe is lost: %j', async (fault) => {
    const bought = await payments.authorize();
    payments.approvals.set(bought.holdId, 'accepted');
    await payments.fault(fault);

    await payments.checkNow(bought.paymentId);
    await waitFor('the charge', async () => {
      if (payments.published('PaymentSucceeded', bought.paymentId).length > 0) return true;
      await payments.pool.query(
        `UPDATE payments SET next_check_at = now() WHERE id = $1 AND status = 'pending'`,
        [bought.paymentId],
      );
      return false;
    });

    expect(await chargeOf(bought.intentId)).toMatchObject([
      { captured: true, amount_captured: 4200 },
    ]);
    expect(payments.published('PaymentSucceeded', bought.paymentId)).toHaveLength(1);
  });

  it('releases the card when the request ends, and reports the release until the bookings service acknowledges it', async () => {
    const bought = await payments.authorize();
    payments.approvals.set(bought.holdId, 'ended');
    const { holdId, userId } = bought;

    await payments.broker.send(
      newEvent('BookingExpired', { id: holdId, version: 4 }, { holdId, userId, lines: [] }),
    );

    expect((await failed(bought.paymentId)).data).toMatchObject({ final: true, holdId });
    await payments.reported(bought.paymentId, 'canceled');
    expect(await payments.stripe.paymentIntents.retrieve(bought.intentId)).toMatchObject({
      status: 'canceled',
    });
    expect((await payments.ledger()).refunds.filter((one) => one.amount === 4200)).toEqual([]);
    await waitFor('the end', async () => {
      const row = await payments.row(bought.paymentId);
      return row.next_check_at === Number.POSITIVE_INFINITY;
    });
  });

  it('does not release the card if the bookings service does not confirm the event', async () => {
    const bought = await payments.authorize();
    const { holdId, userId } = bought;

    await payments.broker.send(
      newEvent('BookingExpired', { id: holdId, version: 4 }, { holdId, userId, lines: [] }),
    );

    await waitFor('the report to bookings', async () => reportsOf(bought.paymentId).length >= 2);
    await payments.rests(bought.paymentId);
    expect(await payments.stripe.paymentIntents.retrieve(bought.intentId)).toMatchObject({
      status: 'requires_capture',
    });
  });

  it('ends a request whose authorization expires before the charge', async () => {
    const bought = await payments.authorize();
    await payments.expireAtStripe(bought.intentId);
    payments.approvals.set(bought.holdId, 'accepted');

    await payments.broker.send(acceptance(bought));

    expect((await failed(bought.paymentId)).data.final).toBe(true);
    await payments.reported(bought.paymentId, 'canceled');
    expect(await chargeOf(bought.intentId)).toMatchObject([{ captured: false }]);
  });

  it('ends a request and releases the card when the bank declines the capture', async () => {
    const bought = await payments.authorize('pm_card_captureDeclined');
    payments.approvals.set(bought.holdId, 'accepted');

    await payments.broker.send(acceptance(bought));

    expect((await failed(bought.paymentId)).data.final).toBe(true);
    await payments.reported(bought.paymentId, 'canceled');
    expect(await payments.stripe.paymentIntents.retrieve(bought.intentId)).toMatchObject({
      status: 'canceled',
    });
  });

  it('keeps the authorization during an outage of the bookings service', async () => {
    const bought = await payments.buy({ onRequest: true });
    payments.bookingsOutage.requests = 2;
    await payments.pay(bought.intentId);
    await payments.confirm(bought);

    await waitFor('the outage', async () => {
      await payments.checkNow(bought.paymentId);
      return payments.bookingsOutage.requests <= 0;
    });
    await payments.checkNow(bought.paymentId);

    await payments.reported(bought.paymentId, 'authorized');
  });
});

const webhooksOf = async (intentId: string) => {
  const { events } = await payments.ledger();
  return events.filter(({ data }) => data.object.id === intentId);
};

const deliver = async (event: object): Promise<number> => {
  const payload = JSON.stringify(event);
  const secret = payments.webhookSecret;
  const signature = payments.stripe.webhooks.generateTestHeaderString({ payload, secret });
  const headers = { 'stripe-signature': signature };
  return (await payments.api.post('/api/payment/webhook', { body: event, headers })).status;
};

describe('webhooks of an authorization', () => {
  it('lead to one charge even if they arrive late, twice and out of order', async () => {
    const bought = await payments.buy({ onRequest: true });
    await payments.pay(bought.intentId, 'pm_card_chargeDeclined').catch(() => {});
    await payments.pay(bought.intentId);
    const isNewest = ({ type }: { type: string }) =>
      type === 'payment_intent.amount_capturable_updated';
    const authorized = (await webhooksOf(bought.intentId)).filter(isNewest);
    for (const event of [...authorized, ...authorized]) await deliver(event);
    await payments.reported(bought.paymentId, 'authorized');
    payments.approvals.set(bought.holdId, 'accepted');
    await payments.broker.send(acceptance(bought));
    await succeeded(bought.paymentId);

    const all = (await webhooksOf(bought.intentId)).toReversed();
    const answers: number[] = [];
    for (const event of [...all, ...all]) answers.push(await deliver(event));

    expect(authorized).toHaveLength(1);
    expect(all.map(({ type }) => type)).toContain('payment_intent.payment_failed');
    expect(new Set(answers)).toEqual(new Set([200]));
    expect((await chargeOf(bought.intentId)).filter((one) => one.captured)).toHaveLength(1);
    expect(await payments.row(bought.paymentId)).toMatchObject({ status: 'succeeded' });
    const { rows } = await payments.pool.query(
      'SELECT type FROM outbox_messages WHERE aggregate_id = $1',
      [bought.paymentId],
    );
    expect(rows).toEqual([{ type: 'PaymentSucceeded' }]);
  });
});
