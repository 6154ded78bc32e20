import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@lendtools/testing';
import { startTestPayments, type TestPayments } from './payments-service.ts';

let payments: TestPayments;
beforeAll(async () => {
  payments = await startTestPayments();
});
afterAll(() => payments.stop());

/** @returns whether Stripe tried the card at all: an intent that is cancelled takes none */
const tryStolenCard = async (intentId: string): Promise<boolean> => {
  const error = await payments.pay(intentId, 'pm_card_chargeDeclined').catch((reason) => reason);
  return error.code === 'card_declined';
};

const statusOf = async (intentId: string): Promise<string> =>
  (await payments.stripe.paymentIntents.retrieve(intentId)).status;

const canceled = (intentId: string) =>
  waitFor('the intent to be cancelled', async () => (await statusOf(intentId)) === 'canceled');

/** Tries cards until none is taken, or twelve were; the browser asks after each. @returns how many were tried */
const testCards = async (bought: Awaited<ReturnType<TestPayments['buy']>>): Promise<number> => {
  for (let tried = 0; tried < 12; tried += 1) {
    if (!(await tryStolenCard(bought.intentId))) return tried;
    await payments.confirm(bought);
    if (tried === 4) await canceled(bought.intentId).catch(() => {});
  }
  return 12;
};

describe('an intent whose cards are declined', () => {
  it('stays open for four declines, and is cancelled after the fifth', async () => {
    const bought = await payments.buy();
    for (let tried = 0; tried < 4; tried += 1) await tryStolenCard(bought.intentId);
    await payments.confirm(bought);
    const after4 = await statusOf(bought.intentId);

    await tryStolenCard(bought.intentId);
    const reply = await payments.confirm(bought);
    await canceled(bought.intentId);

    expect(after4).toBe('requires_payment_method');
    expect(reply).toMatchObject({ status: 402, body: { code: 'PAYMENT_NOT_SUCCEEDED' } });
    expect(reply.body.detail).toContain('declined 5 times');
    const { data } = await payments.broker.expectEvent(
      'PaymentFailed',
      ({ paymentId, final }) => paymentId === bought.paymentId && final,
    );
    expect(data.holdId).toBe(bought.holdId);
  });

  it('is cancelled by its webhooks alone', async () => {
    payments.connectWebhooks();
    const bought = await payments.buy();

    for (let tried = 0; tried < 5; tried += 1) await tryStolenCard(bought.intentId);

    await canceled(bought.intentId);
  });

  it('can be paid by the fifth card', async () => {
    const bought = await payments.buy();
    for (let tried = 0; tried < 4; tried += 1) await tryStolenCard(bought.intentId);
    await payments.confirm(bought);

    await payments.pay(bought.intentId);

    expect(await payments.confirm(bought)).toMatchObject({ status: 200 });
  });
});

describe('a person whose cards are declined', () => {
  it('gets no other intent after fifteen declines in a day', async () => {
    const { token } = await payments.signIn();
    const create = () =>
      payments.api.post('/api/payment/create-payment-intent', { token, body: { amount: 4200 } });

    let tried = 0;
    let reply = await create();
    for (; reply.status === 201 && tried < 100; reply = await create()) {
      const { clientSecret, paymentId } = reply.body;
      const intentId = String(clientSecret).split('_secret_')[0] as string;
      tried += await testCards({ token, paymentId, intentId } as never);
    }

    expect(reply).toMatchObject({ status: 429, body: { code: 'TOO_MANY_REQUESTS' } });
    expect(reply.headers.get('retry-after')).toBe('86400');
    expect(tried).toBe(15);
  });
});
