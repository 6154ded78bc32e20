import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestPayments, type TestPayments } from '../../../test/payments-service.ts';

let payments: TestPayments;

beforeAll(async () => {
  payments = await startTestPayments();
});

afterAll(() => payments.stop());

describe('POST /api/payment/create-payment-intent', () => {
  it('creates an intent with the price that the bookings service returns', async () => {
    const bought = await payments.buy({ amountCents: 8400 });

    expect(bought.reply.status).toBe(201);
    expect(bought.reply.body).toEqual({
      clientSecret: expect.stringMatching(/^pi_\w+_secret_\w+$/),
      paymentId: bought.paymentId,
    });
    expect(await payments.stripe.paymentIntents.retrieve(bought.intentId)).toMatchObject({
      amount: 8400,
      currency: 'usd',
      status: 'requires_payment_method',
      metadata: { paymentId: bought.paymentId, holdId: bought.holdId, userId: bought.userId },
    });
  });

  it('returns the same intent to repeated and concurrent requests for a hold', async () => {
    const bought = await payments.buy();

    const again = await Promise.all([bought.create(), bought.create(), bought.create()]);

    expect(again.map((reply) => reply.body)).toEqual(Array(3).fill(bought.reply.body));
    const { paymentIntents } = await payments.ledger();
    const made = paymentIntents.filter((one) => one.metadata.paymentId === bought.paymentId);
    expect(made).toHaveLength(1);
  });

  it("rejects an amount other than the hold's price, and returns that price", async () => {
    const { token, userId } = await payments.signIn();
    const holdId = randomUUID();
    payments.holds.set(holdId, { userId, amountCents: 8400 });

    const reply = await payments.api.post('/api/payment/create-payment-intent', {
      token,
      body: { amount: 100, holdId },
    });

    expect(reply).toMatchObject({ status: 409, body: { code: 'PRICE_CHANGED', amount: 8400 } });
    const { rows } = await payments.pool.query('SELECT 1 FROM payments WHERE hold_id = $1', [
      holdId,
    ]);
    expect(rows).toEqual([]);
  });

  it("returns the error of the bookings service for another user's hold", async () => {
    const bought = await payments.buy();
    const { token } = await payments.signIn();

    const reply = await payments.api.post('/api/payment/create-payment-intent', {
      token,
      body: { amount: bought.amount, holdId: bought.holdId },
    });

    expect(reply).toMatchObject({ status: 404, body: { code: 'HOLD_NOT_FOUND' } });
  });

  it('ends the payment without an intent if its hold has ended meanwhile', async () => {
    const bought = await payments.buy({ checkouts: 1 });

    expect(bought.reply).toMatchObject({ status: 404, body: { code: 'HOLD_NOT_FOUND' } });
    const { data } = await payments.broker.expectEvent(
      'PaymentFailed',
      (one) => one.holdId === bought.holdId,
    );
    expect(data.final).toBe(true);
    expect(await intentsOf(data.paymentId)).toEqual([]);
  });

  it.each([1, 49.4, -1, 0, 1e9, 4200.5, 'NaN', '1e3', '', null])(
    'rejects a payment of the amount %p',
    async (amount) => {
      const { token } = await payments.signIn();

      const reply = await payments.api.post('/api/payment/create-payment-intent', {
        token,
        body: { amount },
      });

      expect(reply).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
    },
  );

  it.each([
    [19.99 * 100, 1999],
    [64.1 * 100, 6410],
    [4.35 * 100, 435],
    ['1998.9999999999998', 1999],
  ])(
    'rounds amounts that clients compute in floating point: %p is %d cents',
    async (amount, cents) => {
      const bought = await payments.buy({ amountCents: cents });
      const { holdId, token } = bought;

      const reply = await payments.api.post('/api/payment/create-payment-intent', {
        token,
        body: { amount, holdId },
      });

      expect(reply).toMatchObject({ status: 201, body: { paymentId: bought.paymentId } });
    },
  );

  it('rejects creating a payment without a token', async () => {
    const reply = await payments.api.post('/api/payment/create-payment-intent', {
      body: { amount: 4200 },
    });

    expect(reply.status).toBe(401);
  });

  it('creates one payment without a hold per Idempotency-Key', async () => {
    const { token, userId } = await payments.signIn();
    const create = (amount: number) =>
      payments.api.post('/api/payment/create-payment-intent', {
        token,
        body: { amount, userId },
        headers: { 'idempotency-key': 'checkout-1' },
      });

    const [first, second] = await Promise.all([create(4200), create(4200)]);
    const other = await create(4300);

    expect(first.status).toBe(201);
    expect(second.body).toEqual(first.body);
    expect(other).toMatchObject({ status: 422, body: { code: 'IDEMPOTENCY_KEY_REUSED' } });
    expect(await payments.row(first.body.paymentId)).toMatchObject({
      hold_id: null,
      amount_cents: 4200,
    });
  });
});

describe('POST /api/payment/create-payment-intent without a hold', () => {
  it("replaces a user's unpaid payment without a hold by the new one", async () => {
    const { token } = await payments.signIn();
    const create = (amount: number) =>
      payments.api.post('/api/payment/create-payment-intent', { token, body: { amount } });
    const first = await create(4200);

    const second = await create(4300);

    expect([first.status, second.status]).toEqual([201, 201]);
    expect(await payments.row(first.body.paymentId)).toMatchObject({ status: 'canceled' });
    expect(await payments.row(second.body.paymentId)).toMatchObject({ status: 'pending' });
    expect(await intentsOf(first.body.paymentId)).toMatchObject([{ status: 'canceled' }]);
  });

  it('keeps one unpaid payment of a user after twelve concurrent requests without a hold', async () => {
    const { token, userId } = await payments.signIn();
    const create = () =>
      payments.api.post('/api/payment/create-payment-intent', { token, body: { amount: 4200 } });

    const replies = await Promise.all(Array.from({ length: 12 }, create));

    const rejected = replies.filter(({ status }) => status !== 201);
    expect(
      rejected.every(
        ({ body }) => body.code === 'TOO_MANY_PAYMENTS' || body.code === 'HOLD_EXPIRED',
      ),
    ).toBe(true);
    const { rows } = await payments.pool.query(
      `SELECT count(*)::int FROM payments WHERE user_id = $1 AND status IN ('pending', 'failed')`,
      [userId],
    );
    expect(rows[0].count).toBe(1);
  });

  it('keeps a payment without a hold that has just been paid', async () => {
    const { token } = await payments.signIn();
    const create = () =>
      payments.api.post('/api/payment/create-payment-intent', { token, body: { amount: 4200 } });
    const first = await create();
    await payments.pay(String(first.body.clientSecret).split('_secret_')[0] as string);

    const second = await create();

    expect(second.status).toBe(201);
    expect(second.body.paymentId).not.toBe(first.body.paymentId);
    expect(await payments.row(first.body.paymentId)).toMatchObject({ status: 'succeeded' });
  });
});

describe('POST /api/payment/create-payment-intent for a cart with several holds', () => {
  const cart = async (size = 2) => {
    const user = await payments.signIn();
    const holdIds = Array.from({ length: size }, () => randomUUID());
    for (const holdId of holdIds)
      payments.holds.set(holdId, {
        userId: user.userId,
        amountCents: 4200,
        onRequest: true,
        otherHoldIds: holdIds.filter((id) => id !== holdId),
      });
    const create = (holdId: string | undefined) =>
      payments.api.post('/api/payment/create-payment-intent', {
        token: user.token,
        body: { amount: 4200, holdId },
      });
    return { ...user, holdIds, create };
  };
  const intentOf = ({ clientSecret }: { clientSecret: string }) =>
    clientSecret.split('_secret_')[0] as string;

  it('starts the next payment only once the card of the previous one is authorized, even before a webhook', async () => {
    const { create, holdIds } = await cart();
    const first = await create(holdIds[0]);

    const early = await create(holdIds[1]);
    await payments.pay(intentOf(first.body), 'pm_card_chargeDeclined').catch(() => {});
    const declined = await create(holdIds[1]);
    await payments.pay(intentOf(first.body));
    const next = await create(holdIds[1]);

    expect(early).toMatchObject({ status: 409, body: { code: 'TOO_MANY_PAYMENTS' } });
    expect(declined).toMatchObject({ status: 409, body: { code: 'TOO_MANY_PAYMENTS' } });
    expect(next.status).toBe(201);
    expect(next.body.paymentId).not.toBe(first.body.paymentId);
  });

  it('has one unpaid payment after concurrent requests for all holds of a cart', async () => {
    const { create, holdIds, userId } = await cart(20);

    const replies = await Promise.all(holdIds.map(create));

    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
    const { rowCount } = await payments.pool.query('SELECT FROM payments WHERE user_id = $1', [
      userId,
    ]);
    expect(rowCount).toBe(1);
  });

  it('returns the payment of a hold again while it is the unpaid one', async () => {
    const { create, holdIds } = await cart();
    const first = await create(holdIds[0]);

    const again = await create(holdIds[0]);

    expect(again.body).toEqual(first.body);
  });
});

describe('POST /api/payment/create-payment-intent for a user with many refunded payments', () => {
  const createWithoutHold = (token: string) =>
    payments.api.post('/api/payment/create-payment-intent', { token, body: { amount: 4200 } });

  const countPaymentsOf = async (userId: string): Promise<number> =>
    (await payments.pool.query('SELECT FROM payments WHERE user_id = $1', [userId])).rowCount ?? 0;

  it('returns the error of the bookings service for a payment without a hold, and creates no payment', async () => {
    const { userId, token } = await payments.signIn();
    const detail = 'Many of your payments were refunded today. Please try again in 2 hours.';
    payments.paymentLimits.set(userId, { status: 429, code: 'TOO_MANY_REQUESTS', detail });

    const reply = await createWithoutHold(token);

    expect(reply).toMatchObject({ status: 429, body: { code: 'TOO_MANY_REQUESTS', detail } });
    expect(reply.headers.get('retry-after')).toBe('5400');
    expect(await countPaymentsOf(userId)).toBe(0);
  });

  it('creates no payment without a hold during an outage of the bookings service', async () => {
    const { userId, token } = await payments.signIn();
    payments.bookingsOutage.requests = 100;

    const away = await createWithoutHold(token);
    payments.bookingsOutage.requests = 0;
    const created = await countPaymentsOf(userId);
    const back = await createWithoutHold(token);

    expect([away.status, created, back.status]).toEqual([503, 0, 201]);
  });

  it('does not limit payments with a hold', async () => {
    const { userId, token } = await payments.signIn();
    const holdId = randomUUID();
    payments.holds.set(holdId, { userId, amountCents: 4200 });
    payments.paymentLimits.set(userId, { status: 429, code: 'TOO_MANY_REQUESTS', detail: '' });

    const reply = await payments.api.post('/api/payment/create-payment-intent', {
      token,
      body: { amount: 4200, holdId },
    });

    expect(reply.status).toBe(201);
  });
});

describe('POST /api/payment/create-payment-intent during faults of the bookings service or Stripe', () => {
  it('bridges a short outage of the bookings service and replies 503 during a longer one', async () => {
    payments.bookingsOutage.requests = 2;
    const short = await payments.buy();
    payments.bookingsOutage.requests = 3;
    const long = await payments.buy();

    expect(short.reply.status).toBe(201);
    expect(long.reply).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } });
  });

  it.each(['reset-after-effect', 'reset-before-effect', '409', 'error-500-before-effect'])(
    'creates one intent despite one fault %s, without an error for the client',
    async (kind) => {
      await payments.fault({ point: 'create', kind });

      const bought = await payments.buy();

      expect(bought.reply.status).toBe(201);
      expect(await intentsOf(bought.paymentId)).toHaveLength(1);
    },
  );

  it('replies 503 when every reply of Stripe is lost, and returns the created intent to a retry', async () => {
    await payments.fault({ point: 'create', kind: 'reset-after-effect', count: 3 });
    const bought = await payments.buy();

    const again = await bought.create();

    expect(bought.reply).toMatchObject({ status: 503, body: { code: 'PROVIDER_UNAVAILABLE' } });
    expect(again.status).toBe(201);
    expect(await intentsOf(again.body.paymentId)).toHaveLength(1);
  });

  it('replies 503 after a 500 of Stripe, and creates an intent under a fresh idempotency key on a retry', async () => {
    payments.connectWebhooks();
    await payments.fault({ point: 'create', kind: 'error-500-after-effect' });
    const bought = await payments.buy();

    const again = await bought.create();
    await payments.pay(String(again.body.clientSecret).split('_secret_')[0] as string);

    expect(bought.reply).toMatchObject({ status: 503, body: { code: 'PROVIDER_UNAVAILABLE' } });
    expect(again.status).toBe(201);
    await payments.broker.expectEvent('PaymentSucceeded', (data) => data.holdId === bought.holdId);
    const made = await intentsOf(again.body.paymentId);
    expect(made.filter((one) => one.status === 'succeeded')).toHaveLength(1);
  });
});

const intentsOf = async (paymentId: string) => {
  const { paymentIntents } = await payments.ledger();
  return paymentIntents.filter((one) => one.metadata.paymentId === paymentId);
};
