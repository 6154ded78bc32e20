import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { browser, createIntent, dataDir, sandbox, stripe, useSandbox } from '../test/sandbox.ts';

useSandbox();

describe('the sandbox, called by a browser', () => {
  it('confirms an intent with the publishable key and the client secret alone', async () => {
    const intent = await createIntent();
    const card = { number: '4242 4242 4242 4242', exp_month: '12', exp_year: '2040', cvc: '123' };

    const paid = await browser(`/v1/payment_intents/${intent.id}/confirm`, {
      client_secret: intent.client_secret,
      payment_method_data: {
        type: 'card',
        card,
        billing_details: { address: { postal_code: '94110' } },
      },
    });

    expect(paid.status).toBe(200);
    expect(paid.headers.get('access-control-allow-origin')).toBe('*');
    expect(await paid.json()).toMatchObject({ status: 'succeeded' });
    expect(readFileSync(path.join(dataDir, 'ledger.jsonl'), 'utf8')).not.toContain('424242424242');
  });

  it('rejects a browser with a wrong client secret, a wrong key or a call that needs the secret key', async () => {
    const intent = await createIntent();
    const at = `/v1/payment_intents/${intent.id}/confirm`;

    expect(
      (await browser(at, { client_secret: 'guess', payment_method: 'pm_card_visa' })).status,
    ).toBe(404);
    expect((await browser('/v1/refunds', { payment_intent: intent.id })).status).toBe(403);
    expect((await browser(at, {}, 'sk_test_wrong')).status).toBe(401);
    expect(await stripe.paymentIntents.retrieve(intent.id)).toMatchObject({
      status: 'requires_payment_method',
    });
  });

  it.each([
    ['4242424242424241', 'incorrect_number'],
    ['4111111111111111', 'card_declined'],
  ])('returns a card error for the number %s', async (number, code) => {
    const intent = await createIntent();
    const card = { number, exp_month: 12, exp_year: 2040, cvc: '123' };

    const reply = await browser(`/v1/payment_intents/${intent.id}/confirm`, {
      client_secret: intent.client_secret,
      payment_method_data: { type: 'card', card },
    });

    expect(reply.status).toBe(402);
    expect(await reply.json()).toMatchObject({ error: { type: 'card_error', code } });
  });

  it('serves a script that defines window.Stripe', async () => {
    const script = await (await fetch(`${sandbox.url}/v3/`)).text();

    const page = { Stripe: undefined as unknown };
    const document = { currentScript: { src: `${sandbox.url}/v3/` } };
    new Function('window', 'document', script)(page, document);

    expect(page.Stripe).toHaveProperty('version', 'endive');
    expect((page.Stripe as (key: string) => object)('pk_test_x')).toMatchObject({
      elements: expect.any(Function),
      createToken: expect.any(Function),
      createPaymentMethod: expect.any(Function),
      confirmCardPayment: expect.any(Function),
    });
  });
});
