import { describe, expect, it } from '@jest/globals';
import {
  createIntent,
  endpoint,
  ledger,
  post,
  sandbox,
  start,
  stripe,
  useSandbox,
} from '../test/sandbox.ts';

useSandbox();

describe('webhooks', () => {
  it('are signed so that constructEvent accepts them', async () => {
    const intent = await createIntent();
    await stripe.paymentIntents.confirm(intent.id, { payment_method: 'pm_card_visa' });
    await stripe.refunds.create({ payment_intent: intent.id });

    const types = [
      'charge.refunded',
      'charge.succeeded',
      'payment_intent.created',
      'payment_intent.succeeded',
      'refund.created',
    ];
    for (const type of types) await endpoint.received(type);
    expect(endpoint.events.map((event) => event.type).sort()).toEqual(types);
  });

  it('are signed with both secrets during a rotation, then with the new one only', async () => {
    const roll = (...secrets: string[]) => post('/sandbox/webhook_secrets', { secrets });

    await roll('whsec_next', 'whsec_sandbox');
    const intent = await createIntent();
    await endpoint.received('payment_intent.created');
    endpoint.takes('whsec_next');
    await roll('whsec_next');
    await stripe.paymentIntents.cancel(intent.id);
    await endpoint.received('payment_intent.canceled');

    expect(endpoint.events.map(({ type }) => type)).toEqual([
      'payment_intent.created',
      'payment_intent.canceled',
    ]);
  });

  it('are retried until the endpoint replies 2xx', async () => {
    endpoint.rejectNext(3);

    await createIntent();
    await endpoint.received('payment_intent.created');

    const attempts = (await ledger()).deliveries.map((one) => one.status);
    expect(attempts.slice(0, 3)).toEqual([500, 500, 500]);
  });
});

describe('a restarted sandbox', () => {
  it('has its old state, and delivers the events that were not delivered before', async () => {
    endpoint.rejectNext(1000);
    const intent = await stripe.paymentIntents.create(
      { amount: 4200, currency: 'usd' },
      { idempotencyKey: 'k5' },
    );
    await stripe.paymentIntents.confirm(intent.id, { payment_method: 'pm_card_visa' });
    await sandbox.close();
    endpoint.rejectNext(0);

    await start();

    await endpoint.received('payment_intent.succeeded');
    const again = await stripe.paymentIntents.create(
      { amount: 4200, currency: 'usd' },
      { idempotencyKey: 'k5' },
    );
    expect(again.id).toBe(intent.id);
    expect(await stripe.paymentIntents.retrieve(intent.id)).toMatchObject({ status: 'succeeded' });
  });
});
