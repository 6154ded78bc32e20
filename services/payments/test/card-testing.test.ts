import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@lendtools/testing';
import { purgePaymentNetworks } from '../src/charges/purge-payment-networks/purge-payment-networks.ts';
import { startTestPayments, type TestPayments } from './payments-service.ts';

let payments: TestPayments;
/** This service allows one decline per user and three per address, and gets no webhooks. */
let limited: TestPayments;
let uninformed: TestPayments;
beforeAll(async () => {
  [payments, uninformed, limited] = await Promise.all([
    startTestPayments({ env: { RATE_LIMIT_FACTOR: '1' } }),
    startTestPayments({ env: { RATE_LIMIT_FACTOR: '1' } }),
    startTestPayments({ env: { RATE_LIMIT_FACTOR: '0.02' } }),
  ]);
});
afterAll(() => Promise.all([payments.stop(), uninformed.stop(), limited.stop()]));

/** @returns whether Stripe tried the card; a canceled intent accepts none */
const tryStolenCard = async (intentId: string): Promise<boolean> => {
  const error = await payments.pay(intentId, 'pm_card_chargeDeclined').catch((reason) => reason);
  return error.code === 'card_declined';
};

const statusOf = async (intentId: string): Promise<string> =>
  (await payments.stripe.paymentIntents.retrieve(intentId)).status;

const canceled = (intentId: string) =>
  waitFor('the intent to be canceled', async () => (await statusOf(intentId)) === 'canceled');

/** Tries up to twelve cards until the intent accepts none. @returns how many were tried */
const testCards = async (bought: Awaited<ReturnType<TestPayments['buy']>>): Promise<number> => {
  for (let tried = 0; tried < 12; tried += 1) {
    if (!(await tryStolenCard(bought.intentId))) return tried;
    await payments.confirm(bought);
    if (tried === 4) await canceled(bought.intentId).catch(() => {});
  }
  return 12;
};

describe('an intent whose cards are declined', () => {
  it('stays open for four declines and is canceled after the fifth', async () => {
    const bought = await payments.buy();
    for (let tried = 0; tried < 4; tried += 1) await tryStolenCard(bought.intentId);
    await payments.confirm(bought);
    const after4 = await statusOf(bought.intentId);

    await tryStolenCard(bought.intentId);
    const reply = await payments.confirm(bought);
    await canceled(bought.intentId);

    expect(after4).toBe('requires_payment_method');
    expect(reply).toMatchObject({ status: 402, body: { code: 'PAYMENT_DECLINED' } });
    expect(reply.body.detail).toContain('declined 5 times');
    const { data } = await payments.broker.expectEvent(
      'PaymentFailed',
      ({ paymentId, final }) => paymentId === bought.paymentId && final,
    );
    expect(data.holdId).toBe(bought.holdId);
  });

  it('is canceled after five declines that only webhooks report', async () => {
    payments.connectWebhooks();
    const bought = await payments.buy();

    for (let tried = 0; tried < 5; tried += 1) await tryStolenCard(bought.intentId);

    await canceled(bought.intentId);
  });

  it('accepts the fifth card after four declines', async () => {
    const bought = await payments.buy();
    for (let tried = 0; tried < 4; tried += 1) await tryStolenCard(bought.intentId);
    await payments.confirm(bought);

    await payments.pay(bought.intentId);

    expect(await payments.confirm(bought)).toMatchObject({ status: 200 });
  });
});

describe('declined cards', () => {
  it('are counted without a webhook while the next card waits for its authentication', async () => {
    const bought = await uninformed.buy();
    for (let tried = 0; tried < 5; tried += 1) {
      await uninformed.pay(bought.intentId, 'pm_card_chargeDeclined').catch(() => {});
      await uninformed.pay(bought.intentId, 'pm_card_authenticationRequired').catch(() => {});
    }

    const reply = await uninformed.confirm(bought);

    expect(reply).toMatchObject({ status: 402, body: { code: 'PAYMENT_DECLINED' } });
  });

  it('are counted for a payment without a hold that a new payment replaces', async () => {
    const { token } = await limited.signIn();
    const { body } = await createFrom(limited, token, '203.0.113.90');
    const intentId = String(body.clientSecret).split('_secret_')[0] as string;
    await limited.pay(intentId, 'pm_card_chargeDeclined').catch(() => {});

    const next = await createFrom(limited, token, '203.0.113.91');

    expect(next).toMatchObject({ status: 429, body: { code: 'TOO_MANY_REQUESTS' } });
    expect(await limited.row(body.paymentId)).toMatchObject({ declines: 1, status: 'canceled' });
  });

  it('are counted even if their events arrive after a good card has paid', async () => {
    const bought = await uninformed.buy();
    await uninformed.pay(bought.intentId, 'pm_card_chargeDeclined').catch(() => {});
    await uninformed.pay(bought.intentId);
    await uninformed.confirm(bought);
    const { events } = await uninformed.ledger();
    const failure = events.find(
      ({ type, data }) =>
        type === 'payment_intent.payment_failed' && data.object.id === bought.intentId,
    );

    await uninformed.sendWebhook(failure as never);

    expect(await uninformed.row(bought.paymentId)).toMatchObject({
      declines: 1,
      status: 'succeeded',
    });
  });
});

describe('an intent whose 3-D Secure authentications fail', () => {
  it('is canceled after the fifth failed authentication', async () => {
    const bought = await payments.buy();
    for (let tried = 0; tried < 3; tried += 1) {
      await payments.failAuthentication(bought.intentId);
      await payments.confirm(bought);
    }
    await tryStolenCard(bought.intentId);
    await payments.confirm(bought);
    const after4 = await statusOf(bought.intentId);

    await payments.failAuthentication(bought.intentId);
    const reply = await payments.confirm(bought);
    await canceled(bought.intentId);

    expect(after4).toBe('requires_payment_method');
    expect(reply).toMatchObject({ status: 402, body: { code: 'PAYMENT_DECLINED' } });
  });

  it('is canceled by the webhooks of the failures alone, in any order and sent twice', async () => {
    const bought = await limited.buy();
    for (let tried = 0; tried < 5; tried += 1) await limited.failAuthentication(bought.intentId);
    const { events } = await limited.ledger();
    const failures = events.filter(
      ({ type, data }) =>
        type === 'payment_intent.payment_failed' && data.object.id === bought.intentId,
    );
    const send = (some: typeof failures) =>
      Promise.all(some.map((event) => limited.sendWebhook(event)));

    await send(failures.slice(1).reverse());
    await send(failures.slice(1));
    expect(await limited.row(bought.paymentId)).toMatchObject({ declines: 4 });

    await send(failures);
    await waitFor('the intent to be canceled', async () => {
      const { status } = await limited.stripe.paymentIntents.retrieve(bought.intentId);
      return status === 'canceled';
    });
  });
});

describe('a payment that was ended by declines', () => {
  it('is reported as PAYMENT_DECLINED, although its hold is gone', async () => {
    const bought = await payments.buy();
    for (let tried = 0; tried < 5; tried += 1) await tryStolenCard(bought.intentId);
    await payments.confirm(bought);
    await canceled(bought.intentId);

    const ended = await bought.create();
    payments.holds.delete(bought.holdId);
    const gone = await bought.create();
    const { token } = await payments.signIn();
    const stranger = await payments.api.post('/api/payment/create-payment-intent', {
      token,
      body: { amount: bought.amount, holdId: bought.holdId },
    });

    expect(ended).toMatchObject({ status: 402, body: { code: 'PAYMENT_DECLINED' } });
    expect(gone).toMatchObject({ status: 402, body: { code: 'PAYMENT_DECLINED' } });
    expect(stranger).toMatchObject({ status: 404, body: { code: 'HOLD_NOT_FOUND' } });
  });
});

const createFrom = (of: TestPayments, token: string, address?: string) =>
  of.api.post('/api/payment/create-payment-intent', {
    token,
    body: { amount: 4200 },
    ...(address && { headers: { 'x-forwarded-for': address } }),
  });

describe('a person whose cards are declined', () => {
  it('gets no intent after fifteen declines within a day, until the declines are a day old', async () => {
    const { token } = await payments.signIn();
    const ids: string[] = [];
    let tried = 0;
    let reply = await createFrom(payments, token);
    for (; reply.status === 201 && tried < 100; reply = await createFrom(payments, token)) {
      const { clientSecret, paymentId } = reply.body;
      ids.push(paymentId);
      const intentId = String(clientSecret).split('_secret_')[0] as string;
      tried += await testCards({ token, paymentId, intentId } as never);
    }
    const age = (id: string | undefined, hours: number) =>
      payments.pool.query(
        `UPDATE payments SET created_at = now() - $2 * interval '1 hour' WHERE id = $1`,
        [id, hours],
      );

    await age(ids[0], 20);
    const later = await createFrom(payments, token);
    await age(ids[0], 24.1);
    const nextDay = await createFrom(payments, token);

    expect(reply).toMatchObject({ status: 429, body: { code: 'TOO_MANY_REQUESTS' } });
    expect(tried).toBe(15);
    expect(later.body.detail).toContain('Please try again in 4 hours.');
    const seconds = Number(later.headers.get('retry-after'));
    expect(seconds).toBeLessThanOrEqual(4 * 3_600);
    expect(seconds).toBeGreaterThan(3 * 3_600);
    expect(nextDay.status).toBe(201);
  });
});

describe('a network from which cards are declined', () => {
  const decline = async (address: string) => {
    const { token } = await limited.signIn();
    const { body, status } = await createFrom(limited, token, address);
    if (status !== 201) return status;
    const intentId = String(body.clientSecret).split('_secret_')[0] as string;
    await limited.pay(intentId, 'pm_card_chargeDeclined').catch(() => {});
    await limited.confirm({ token, intentId, paymentId: body.paymentId });
    return status;
  };

  it.each([
    ['one IPv4 address', '203.0.113.7', '203.0.113.7', '203.0.113.8'],
    ['one IPv6 /64', '2001:db8:1:200::1', '2001:db8:1:200::2', '2001:db8:1:201::1'],
  ])(
    'gets no intent for other users on %s after too many declines, while a neighboring network does',
    async (_, one, same, next) => {
      const statuses = [await decline(one), await decline(same), await decline(one)];
      const { token } = await limited.signIn();

      const rejected = await createFrom(limited, token, same);
      const neighbor = await createFrom(limited, token, next);

      expect(statuses).toEqual([201, 201, 201]);
      expect(rejected).toMatchObject({ status: 429, body: { code: 'TOO_MANY_REQUESTS' } });
      expect(rejected.body.detail).toContain('from your network');
      expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(23 * 3_600);
      expect(neighbor.status).toBe(201);
    },
  );

  it('is stored as a keyed hash, which is deleted after a day', async () => {
    const { token } = await limited.signIn();
    const [day, now] = [await limited.signIn(), { token }];
    const old = await createFrom(limited, day.token, '198.51.100.4');
    const young = await createFrom(limited, now.token, '198.51.100.4');
    await limited.pool.query(
      `UPDATE payments SET created_at = now() - interval '25 hours' WHERE id = $1`,
      [old.body.paymentId],
    );
    const before = await limited.row(old.body.paymentId);

    await purgePaymentNetworks(limited.pool);

    expect(before.networks).toEqual([
      expect.stringMatching(/^[\w-]{22}$/),
      expect.stringMatching(/^[\w-]{22}$/),
    ]);
    expect(await limited.row(old.body.paymentId)).toEqual({ ...before, networks: [] });
    expect((await limited.row(young.body.paymentId)).networks).toEqual(before.networks);
  });
});
