import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestPayments, type TestPayments } from '../../../test/payments-service.ts';

let payments: TestPayments;

beforeAll(async () => {
  payments = await startTestPayments();
});

afterAll(() => payments.stop());

describe('PUT /api/payment/confirm-payment/:paymentId', () => {
  it('reads the intent from Stripe and publishes PaymentSucceeded once, also when called twice', async () => {
    const bought = await payments.buy();
    await payments.pay(bought.intentId);

    const replies = await Promise.all([1, 2, 3, 4].map(() => payments.confirm(bought)));

    const { paymentId, userId, holdId, intentId } = bought;
    for (const reply of replies) {
      expect(reply).toMatchObject({
        status: 200,
        body: { payment: { id: paymentId, status: 'succeeded', amount: 4200, refunded: 0 } },
      });
    }
    const event = await payments.broker.expectEvent(
      'PaymentSucceeded',
      (data) => data.paymentId === paymentId,
    );
    expect(event).toMatchObject({
      aggregateId: paymentId,
      version: 2,
      data: {
        paymentId,
        userId,
        holdId,
        amountCents: 4200,
        currency: 'usd',
        paymentIntentId: intentId,
      },
    });
    expect(await payments.confirm(bought)).toMatchObject({ status: 200 });
    const { rows } = await payments.pool.query(
      `SELECT 1 FROM outbox_messages WHERE aggregate_id = $1 AND type = 'PaymentSucceeded'`,
      [paymentId],
    );
    expect(rows).toHaveLength(1);
  });

  it('rejects a client that claims to have paid but has not', async () => {
    const bought = await payments.buy();

    const reply = await payments.confirm(bought);

    expect(reply).toMatchObject({ status: 402, body: { code: 'PAYMENT_NOT_SUCCEEDED' } });
    expect(await payments.row(bought.paymentId)).toMatchObject({ status: 'pending' });
  });

  it("returns the provider's message for a declined card, and accepts another card afterwards", async () => {
    const bought = await payments.buy();
    await payments.pay(bought.intentId, 'pm_card_chargeDeclinedInsufficientFunds').catch(() => {});

    const declined = await payments.confirm(bought);
    await payments.pay(bought.intentId);
    const paid = await payments.confirm(bought);

    expect(declined).toMatchObject({
      status: 402,
      body: { code: 'PAYMENT_NOT_SUCCEEDED', message: 'Your card has insufficient funds.' },
    });
    expect(paid).toMatchObject({ status: 200 });
    const failed = await payments.broker.expectEvent(
      'PaymentFailed',
      (data) => data.paymentId === bought.paymentId,
    );
    expect(failed.data).toMatchObject({
      final: false,
      message: 'Your card has insufficient funds.',
    });
  });

  it('rejects confirming a payment with the intent of another payment', async () => {
    const [mine, other] = [await payments.buy(), await payments.buy()];
    await payments.pay(other.intentId);

    const reply = await payments.confirm({ ...mine, intentId: other.intentId });

    expect(reply).toMatchObject({ status: 409, body: { code: 'PAYMENT_INTENT_MISMATCH' } });
    expect(await payments.row(mine.paymentId)).toMatchObject({ status: 'pending' });
  });

  it('replies 404 to users other than the payer and admins', async () => {
    const bought = await payments.buy();
    await payments.pay(bought.intentId);
    const stranger = await payments.signIn();
    const admin = await payments.accounts.sign({ role: 'Admin' });

    const rejected = await payments.confirm({ ...bought, token: stranger.token });
    const granted = await payments.confirm({ ...bought, token: admin });

    expect(rejected).toMatchObject({ status: 404, body: { code: 'PAYMENT_NOT_FOUND' } });
    expect(granted.status).toBe(200);
  });

  it('replies 503 during an outage of Stripe and succeeds after it', async () => {
    const bought = await payments.buy();
    await payments.pay(bought.intentId);
    await payments.fault({ point: 'retrieve', kind: 'error-500-before-effect', count: 3 });

    const away = await payments.confirm(bought);
    const back = await payments.confirm(bought);

    expect(away).toMatchObject({ status: 503, body: { code: 'PROVIDER_UNAVAILABLE' } });
    expect(back.status).toBe(200);
  });
});
