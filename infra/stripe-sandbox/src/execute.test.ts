import { describe, expect, it } from '@jest/globals';
import { client, createIntent, fault, ledger, stripe, useSandbox } from '../test/sandbox.ts';

useSandbox();

describe('idempotency keys', () => {
  it('replay the first reply, and reject a different request', async () => {
    const params = { amount: 4200, currency: 'usd' };

    const first = await stripe.paymentIntents.create(params, { idempotencyKey: 'k1' });
    const again = await stripe.paymentIntents.create(params, { idempotencyKey: 'k1' });
    const other = stripe.paymentIntents.create(
      { ...params, amount: 4300 },
      { idempotencyKey: 'k1' },
    );

    expect(again.id).toBe(first.id);
    expect(again.lastResponse.headers['idempotent-replayed']).toBe('true');
    await expect(other).rejects.toMatchObject({ type: 'StripeIdempotencyError', statusCode: 400 });
    expect((await ledger()).paymentIntents).toHaveLength(1);
  });

  it('replay a decline', async () => {
    const intent = await createIntent();
    const decline = () =>
      stripe.paymentIntents.confirm(
        intent.id,
        { payment_method: 'pm_card_chargeDeclined' },
        { idempotencyKey: 'k2' },
      );

    await expect(decline()).rejects.toMatchObject({ statusCode: 402 });
    await expect(decline()).rejects.toMatchObject({ statusCode: 402 });

    expect((await ledger()).charges).toHaveLength(1);
  });

  it('reject a concurrent request with the same key', async () => {
    await fault({ point: 'create', kind: 'slow', delayMs: 300 });
    const impatient = client({ maxNetworkRetries: 0 });
    const create = () =>
      impatient.paymentIntents.create({ amount: 4200, currency: 'usd' }, { idempotencyKey: 'k3' });

    const settled = await Promise.allSettled([create(), create()]);

    expect(settled.map((one) => one.status).sort()).toEqual(['fulfilled', 'rejected']);
    const rejected = settled.find((one) => one.status === 'rejected');
    expect(rejected).toMatchObject({ reason: { statusCode: 409, code: 'idempotency_key_in_use' } });
  });
});

describe('retries of the SDK', () => {
  it.each(['reset-before-effect', 'reset-after-effect', 'error-500-before-effect', '409'])(
    'create only one intent after the fault %s',
    async (kind) => {
      await fault({ point: 'create', kind });

      await createIntent();

      expect((await ledger()).paymentIntents).toHaveLength(1);
    },
  );

  it('create only one intent after a 500 that is stored under the idempotency key', async () => {
    await fault({ point: 'create', kind: 'error-500-after-effect' });

    const failed = stripe.paymentIntents.create(
      { amount: 4200, currency: 'usd' },
      { idempotencyKey: 'k4' },
    );

    await expect(failed).rejects.toMatchObject({ statusCode: 500 });
    expect((await ledger()).paymentIntents).toHaveLength(1);
  });
});
