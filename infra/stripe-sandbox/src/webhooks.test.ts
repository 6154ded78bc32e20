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
  it('signs webhooks so that constructEvent accepts them', async () => {
    const intent = await createIntent();
    await stripe.paymentIntents.confirm(intent.id, { payment_method: 'pm_card_visa' });
    await stripe.refunds.create({ payment_intent: intent.id });

    await endpoint.received('charge.refunded');

    expect(endpoint.events.map((event) => event.type).sort()).toEqual([
      'charge.refunded',
      'charge.succeeded',
      'payment_intent.created',
      'payment_intent.succeeded',
      'refund.created',
    ]);
  });

  it('signs webhooks with both secrets during a rotation, then with the new one only', async () => {
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

  it('retries a webhook until the endpoint replies 2xx', async () => {
    endpoint.refuseNext(3);

    await createIntent();
    await endpoint.received('payment_intent.created');

    const attempts = (await ledger()).deliveries.map((one) => one.status);
    expect(attempts.slice(0, 3)).toEqual([500, 500, 500]);
  });
});

describe('a restart', () => {
  it('keeps its state over a restart and then delivers the undelivered events', async () => {
    endpoint.refuseNext(1000);
    const intent = await stripe.paymentIntents.create(
      { amount: 4200, currency: 'usd' },
      { idempotencyKey: 'k5' },
    );
    await stripe.paymentIntents.confirm(intent.id, { payment_method: 'pm_card_visa' });
    await sandbox.close();
    endpoint.refuseNext(0);

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
