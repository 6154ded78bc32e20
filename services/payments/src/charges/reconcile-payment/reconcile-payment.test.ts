import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@lendtools/testing';
import { startTestPayments, type TestPayments } from '../../../test/payments-service.ts';

let payments: TestPayments;

beforeAll(async () => {
  payments = await startTestPayments({ replicas: 2 });
});

afterAll(() => payments.stop());

describe('the reconciler, on two replicas', () => {
  it('publishes a single event for a success that neither webhook nor browser reported', async () => {
    const bought = await payments.buy();
    await payments.pay(bought.intentId);

    await payments.checkNow(bought.paymentId);

    await payments.broker.expectEvent(
      'PaymentSucceeded',
      (data) => data.paymentId === bought.paymentId,
    );
    expect(await eventsOf(bought.paymentId)).toEqual(['PaymentSucceeded']);
  });

  it('keeps a payment open until its hold ends, then cancels it at Stripe and publishes that once', async () => {
    const bought = await payments.buy();
    await payments.checkNow(bought.paymentId);
    await waitFor('a later check', async () => {
      const { next_check_at, status } = await payments.row(bought.paymentId);
      return status === 'pending' && next_check_at > new Date(Date.now() + 90_000);
    });

    await payments.expire(bought.paymentId);

    const { data } = await payments.broker.expectEvent(
      'PaymentFailed',
      (one) => one.paymentId === bought.paymentId,
    );
    expect(data).toMatchObject({ final: true, holdId: bought.holdId });
    expect(await payments.stripe.paymentIntents.retrieve(bought.intentId)).toMatchObject({
      status: 'canceled',
    });
    expect(await eventsOf(bought.paymentId)).toEqual(['PaymentFailed']);
    expect(await bought.create()).toMatchObject({ status: 409, body: { code: 'HOLD_EXPIRED' } });
  });

  it('does not cancel a payment that was paid at the last moment', async () => {
    const bought = await payments.buy();
    await payments.pay(bought.intentId);

    await payments.expire(bought.paymentId);

    await payments.broker.expectEvent(
      'PaymentSucceeded',
      (data) => data.paymentId === bought.paymentId,
    );
    expect(await payments.row(bought.paymentId)).toMatchObject({ status: 'succeeded' });
  });

  it('cancels a payment without an intent, and creates no intent afterwards', async () => {
    await payments.fault({ point: 'create', kind: '429', count: 1 });
    const bought = await payments.buy();
    const { rows } = await payments.pool.query('SELECT id FROM payments WHERE hold_id = $1', [
      bought.holdId,
    ]);

    await payments.expire(rows[0].id);

    await payments.broker.expectEvent(
      'PaymentFailed',
      (data) => data.paymentId === rows[0].id && data.final,
    );
    expect(bought.reply.status).toBe(503);
    expect(await bought.create()).toMatchObject({ status: 409, body: { code: 'HOLD_EXPIRED' } });
  });

  it('retries after an outage of Stripe, and publishes no final event meanwhile', async () => {
    const bought = await payments.buy();
    await payments.fault({ point: 'cancel', kind: 'error-500-before-effect', count: 100 });
    const struck = (times: number) => async () => (await payments.faultsLeft()) <= 100 - times;

    await payments.expire(bought.paymentId);
    // Stripe's client sends a failing request three times. The job tries again only if its first try settled nothing.
    await waitFor('the first try', struck(3));
    await payments.checkNow(bought.paymentId);
    await waitFor('the second try', struck(6));
    expect(payments.published('PaymentFailed', bought.paymentId)).toEqual([]);
    await payments.clearFaults();
    await payments.checkNow(bought.paymentId);

    await payments.broker.expectEvent(
      'PaymentFailed',
      (one) => one.paymentId === bought.paymentId && one.final,
    );
    expect(await payments.stripe.paymentIntents.retrieve(bought.intentId)).toMatchObject({
      status: 'canceled',
    });
  });

  it('cancels a payment once although the reply to the cancel is lost', async () => {
    const bought = await payments.buy();
    await payments.fault({ point: 'cancel', kind: 'reset-after-effect', count: 1 });

    await payments.expire(bought.paymentId);

    await payments.broker.expectEvent(
      'PaymentFailed',
      (data) => data.paymentId === bought.paymentId && data.final,
    );
    expect(await eventsOf(bought.paymentId)).toEqual(['PaymentFailed']);
  });
});

const eventsOf = async (paymentId: string): Promise<string[]> => {
  const { rows } = await payments.pool.query(
    'SELECT type FROM outbox_messages WHERE aggregate_id = $1 ORDER BY position',
    [paymentId],
  );
  return rows.map((row) => row.type);
};
