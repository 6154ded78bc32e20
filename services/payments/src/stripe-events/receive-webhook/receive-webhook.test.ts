import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@lendtools/testing';
import Stripe from 'stripe';
import { startTestPayments, type TestPayments } from '../../../test/payments-service.ts';
import type { Deps } from '../../deps.ts';
import { receiveWebhook } from './receive-webhook.ts';

let payments: TestPayments;

beforeAll(async () => {
  payments = await startTestPayments();
});

afterAll(() => payments.stop());

const buildEvent = (intentId: string, type = 'payment_intent.succeeded') => {
  return {
    id: `evt_${randomUUID()}`,
    object: 'event',
    created: Math.floor(Date.now() / 1_000),
    type,
    data: { object: { id: intentId, object: 'payment_intent', status: 'succeeded' } },
  };
};

describe('POST /api/payment/webhook', () => {
  it('rejects webhooks without a valid signature of the last five minutes', async () => {
    const bought = await payments.buy();
    const event = buildEvent(bought.intentId);

    const replies = [
      await deliver(event, { secret: 'whsec_wrong' }),
      await deliver(event, { timestamp: Math.floor(Date.now() / 1000) - 301 }),
      await deliver(event, { header: '' }),
      await deliver(event, { tampered: true }),
    ];

    expect(replies.map((reply) => reply.status)).toEqual([400, 400, 400, 400]);
    expect(replies[0]?.body).toMatchObject({ code: 'WEBHOOK_SIGNATURE_INVALID' });
    expect(await payments.row(bought.paymentId)).toMatchObject({ status: 'pending' });
  });

  it('reads the intent from Stripe instead of trusting the event', async () => {
    const bought = await payments.buy();

    const reply = await deliver(buildEvent(bought.intentId));

    expect(reply).toMatchObject({ status: 200, body: { received: true } });
    expect(await payments.row(bought.paymentId)).toMatchObject({ status: 'pending' });
  });

  it('publishes one PaymentSucceeded for five concurrent deliveries of an event', async () => {
    const bought = await payments.buy();
    await payments.pay(bought.intentId);
    const event = buildEvent(bought.intentId);

    const replies = await Promise.all([1, 2, 3, 4, 5].map(() => deliver(event)));

    expect(replies.map((reply) => reply.status)).toEqual([200, 200, 200, 200, 200]);
    await payments.broker.expectEvent(
      'PaymentSucceeded',
      (data) => data.paymentId === bought.paymentId,
    );
    expect(await countEvents(bought.paymentId)).toEqual([{ type: 'PaymentSucceeded' }]);
  });

  it('reaches the same state in any order of events and with a concurrent browser', async () => {
    const bought = await payments.buy();
    await payments.pay(bought.intentId, 'pm_card_chargeDeclined').catch(() => {});
    await payments.pay(bought.intentId);

    await Promise.all([
      deliver(buildEvent(bought.intentId, 'payment_intent.succeeded')),
      payments.confirm(bought),
      deliver(buildEvent(bought.intentId, 'payment_intent.payment_failed')),
      deliver(buildEvent(bought.intentId, 'payment_intent.canceled')),
    ]);

    expect(await payments.row(bought.paymentId)).toMatchObject({ status: 'succeeded', version: 2 });
    expect(await countEvents(bought.paymentId)).toEqual([{ type: 'PaymentSucceeded' }]);
  });

  it('replies 503 during an outage of Stripe, so that the webhook is retried', async () => {
    const bought = await payments.buy();
    await payments.pay(bought.intentId);
    const event = buildEvent(bought.intentId);
    await payments.fault({ point: 'retrieve', kind: 'error-500-before-effect', count: 3 });

    const away = await deliver(event);
    const back = await deliver(event);

    expect([away.status, back.status]).toEqual([503, 200]);
    expect(await payments.row(bought.paymentId)).toMatchObject({ status: 'succeeded' });
  });

  it('accepts the old and the new secret during a rotation', async () => {
    const foreign = await payments.stripe.paymentIntents.create({ amount: 999, currency: 'usd' });

    const replies = [
      await deliver(buildEvent(foreign.id)),
      await deliver(buildEvent(foreign.id), { secret: payments.nextWebhookSecret }),
    ];

    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
  });

  it('ignores an intent of another program', async () => {
    const foreign = await payments.stripe.paymentIntents.create({ amount: 999, currency: 'usd' });

    const reply = await deliver(buildEvent(foreign.id));
    const gone = await deliver(buildEvent('pi_gone'));

    expect([reply.status, gone.status]).toEqual([200, 200]);
  });

  it.each([
    ['is wrongly signed', 'WEBHOOK_SIGNATURE_INVALID', { secret: 'whsec_wrong' }],
    ['is not understood', 'REQUEST_UNREADABLE', {}],
  ])('logs the reason when a webhook %s', async (_, code, forgery) => {
    const lines: unknown[] = [];
    const logger = { warn: (...line: unknown[]) => lines.push(line) };
    const config = { STRIPE_WEBHOOK_SECRET: [payments.webhookSecret] };
    const deps = { stripe: payments.stripe, config, logger } as unknown as Deps;
    const body = JSON.stringify({ ...buildEvent('pi_1'), type: 'a new shape' });
    const request = { body: Buffer.from(body), get: () => signatureOf(body, forgery) };
    const route = receiveWebhook(deps).bind({ authenticator: {} as never, checkReplies: false });

    const answer = route.at(-1)?.(request as never, { locals: {} } as never, () => {});

    await expect(answer).rejects.toMatchObject({ code });
    expect(lines).toEqual([[{ err: expect.any(Error) }, 'rejected a webhook']]);
  });

  const ofObject = (object: unknown) => ({ ...buildEvent('pi_1'), data: { object } });
  it.each([
    ['nothing', null],
    ['a list', []],
    ['no data', { ...buildEvent('pi_1'), data: null }],
    ['no object', ofObject(null)],
    ['an id that is none', { ...buildEvent('pi_1'), id: { $ne: null } }],
    ['an id that no database keeps', { ...buildEvent('pi_1'), id: 'evt_\u0000' }],
  ])('rejects a signed body that is not an event: %s', async (_, nonsense) => {
    const reply = await deliver(nonsense);

    expect(reply).toMatchObject({ status: 400, body: { code: 'REQUEST_UNREADABLE' } });
  });

  it.each([
    { object: 'refund', id: ['re_1'] },
    { object: 'refund', id: '' },
    { object: 'charge', payment_intent: 'pi_\u0000' },
    { object: 'plan', id: 'gold & silver' },
  ])('ignores an object without a usable id: %j', async (object) => {
    const reply = await deliver(ofObject(object));

    expect(reply).toMatchObject({ status: 200, body: { received: true } });
  });

  it('completes a purchase without the browser', async () => {
    payments.connectWebhooks();
    await payments.fault({ point: 'webhook', kind: 'duplicate', count: 5 });
    const bought = await payments.buy();

    await payments.pay(bought.intentId);

    await payments.broker.expectEvent(
      'PaymentSucceeded',
      (data) => data.paymentId === bought.paymentId,
    );
    expect(await countEvents(bought.paymentId)).toEqual([{ type: 'PaymentSucceeded' }]);
  });

  it('cancels an intent whose reply was lost if its payment has another intent', async () => {
    payments.connectWebhooks();
    await payments.fault({ point: 'create', kind: 'error-500-after-effect' });
    await payments.fault({ point: 'webhook', kind: 'delay', delayMs: 1000 });
    const bought = await payments.buy();

    const again = await bought.create();

    expect([bought.reply.status, again.status]).toEqual([503, 201]);
    const { paymentId } = again.body;
    await waitFor('one open intent', async () => {
      const made = (await payments.ledger()).paymentIntents.filter(
        (one) => one.metadata.paymentId === paymentId,
      );
      return made.filter((one) => one.status === 'canceled').length === made.length - 1;
    });
    const { intent_id } = await payments.row(paymentId);
    expect(await payments.stripe.paymentIntents.retrieve(intent_id)).toMatchObject({
      status: 'requires_payment_method',
    });
  });
});

interface Forgery {
  secret?: string;
  timestamp?: number;
  header?: string;
  tampered?: boolean;
}

const signatureOf = (payload: string, { secret, timestamp }: Forgery): string =>
  new Stripe('sk_test_any').webhooks.generateTestHeaderString({
    payload,
    secret: secret ?? payments.webhookSecret,
    ...(timestamp && { timestamp }),
  });

const deliver = async (event: unknown, forgery: Forgery = {}) => {
  const payload = JSON.stringify(event);
  const signature = forgery.header ?? signatureOf(payload, forgery);
  const reply = await fetch(`${payments.url}/api/payment/webhook`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'stripe-signature': signature },
    body: forgery.tampered ? payload.replace('succeeded', 'canceled') : payload,
  });
  return { status: reply.status, body: await reply.json() };
};

const countEvents = async (paymentId: string) => {
  const { rows } = await payments.pool.query(
    'SELECT type FROM outbox_messages WHERE aggregate_id = $1 ORDER BY position',
    [paymentId],
  );
  return rows;
};
