import { mkdtempSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import Stripe from 'stripe';
import { createSandbox, type Sandbox } from './app.ts';

const keys = {
  secretKey: 'sk_test_sandbox',
  publishableKey: 'pk_test_sandbox',
  webhookSecret: 'whsec_sandbox',
};

let sandbox: Sandbox;
let stripe: Stripe;
let dataDir: string;
let endpoint: Endpoint;

beforeEach(async () => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'stripe-sandbox-'));
  endpoint = await startEndpoint();
  await start();
});

afterEach(async () => {
  await sandbox.close();
  await endpoint.close();
});

describe('payment intents', () => {
  it('succeeds with pm_card_visa and names the charge', async () => {
    const intent = await createIntent();

    const paid = await stripe.paymentIntents.confirm(intent.id, {
      payment_method: 'pm_card_visa',
      expand: ['latest_charge'],
    });

    expect(paid).toMatchObject({
      status: 'succeeded',
      amount_received: 4200,
      latest_charge: {
        amount: 4200,
        status: 'succeeded',
        payment_method_details: { card: { last4: '4242' } },
      },
    });
    expect(await stripe.paymentIntents.retrieve(intent.id)).toMatchObject({ status: 'succeeded' });
  });

  it.each([
    ['pm_card_chargeDeclined', 'card_declined', 'Your card was declined.'],
    [
      'pm_card_chargeDeclinedInsufficientFunds',
      'card_declined',
      'Your card has insufficient funds.',
    ],
    ['pm_card_chargeDeclinedExpiredCard', 'expired_card', 'Your card has expired.'],
    [
      'pm_card_chargeDeclinedIncorrectCvc',
      'incorrect_cvc',
      "Your card's security code is incorrect.",
    ],
  ])(
    'declines %s in the words of Stripe, and takes another card then',
    async (card, code, message) => {
      const intent = await createIntent();

      const refused = stripe.paymentIntents.confirm(intent.id, { payment_method: card });

      await expect(refused).rejects.toMatchObject({
        type: 'StripeCardError',
        statusCode: 402,
        code,
        message,
      });
      expect(await stripe.paymentIntents.retrieve(intent.id)).toMatchObject({
        status: 'requires_payment_method',
        last_payment_error: { code, message },
      });
      const paid = await stripe.paymentIntents.confirm(intent.id, {
        payment_method: 'pm_card_visa',
      });
      expect(paid.status).toBe('succeeded');
    },
  );

  it('waits for 3-D Secure, then succeeds or fails as the person chooses', async () => {
    const [good, bad] = [await createIntent(), await createIntent()];
    const waiting = await stripe.paymentIntents.confirm(good.id, {
      payment_method: 'pm_card_authenticationRequired',
    });
    await stripe.paymentIntents.confirm(bad.id, {
      payment_method: 'pm_card_threeDSecure2Required',
    });

    const done = await authenticate(good, 'complete');
    const undone = await authenticate(bad, 'fail');

    expect(waiting).toMatchObject({
      status: 'requires_action',
      next_action: { type: 'use_stripe_sdk' },
    });
    expect(done).toMatchObject({ status: 'succeeded' });
    expect(undone).toMatchObject({
      status: 'requires_payment_method',
      last_payment_error: { code: 'payment_intent_authentication_failure' },
    });
  });

  it('cancels what is unpaid, and nothing that is paid or cancelled', async () => {
    const [unpaid, paid] = [await createIntent(), await createIntent()];
    await stripe.paymentIntents.confirm(paid.id, { payment_method: 'pm_card_visa' });

    const canceled = await stripe.paymentIntents.cancel(unpaid.id, {
      cancellation_reason: 'abandoned',
    });

    expect(canceled).toMatchObject({ status: 'canceled', cancellation_reason: 'abandoned' });
    const code = 'payment_intent_unexpected_state';
    await expect(stripe.paymentIntents.cancel(paid.id)).rejects.toMatchObject({
      code,
      payment_intent: { status: 'succeeded' },
    });
    await expect(
      stripe.paymentIntents.confirm(unpaid.id, { payment_method: 'pm_card_visa' }),
    ).rejects.toMatchObject({ code });
    await expect(stripe.paymentIntents.confirm(paid.id)).rejects.toMatchObject({ code });
  });

  it('lists newest first, in pages', async () => {
    const made = [await createIntent(), await createIntent(), await createIntent()];

    const all = await stripe.paymentIntents.list({ limit: 2 }).autoPagingToArray({ limit: 10 });

    expect(all.map((one) => one.id)).toEqual(made.map((one) => one.id).reverse());
  });

  it('refuses amounts as Stripe does', async () => {
    const small = stripe.paymentIntents.create({ amount: 49, currency: 'usd' });
    const huge = stripe.paymentIntents.create({ amount: 100_000_000, currency: 'usd' });

    await expect(small).rejects.toMatchObject({ statusCode: 400, code: 'amount_too_small' });
    await expect(huge).rejects.toMatchObject({ code: 'amount_too_large' });
    await expect(stripe.paymentIntents.retrieve('pi_none')).rejects.toMatchObject({
      statusCode: 404,
      code: 'resource_missing',
    });
  });
});

describe('the browser', () => {
  it('confirms with its publishable key and the client secret alone', async () => {
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

  it('gets nowhere with a wrong client secret, a wrong key, or a call that needs the secret key', async () => {
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
  ])('is told what is wrong with %s', async (number, code) => {
    const intent = await createIntent();
    const card = { number, exp_month: 12, exp_year: 2040, cvc: '123' };

    const reply = await browser(`/v1/payment_intents/${intent.id}/confirm`, {
      client_secret: intent.client_secret,
      payment_method_data: { type: 'card', card },
    });

    expect(reply.status).toBe(402);
    expect(await reply.json()).toMatchObject({ error: { type: 'card_error', code } });
  });

  it('gets a script that defines window.Stripe', async () => {
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

describe('refunds', () => {
  it('gives back in parts, never more than was charged', async () => {
    const intent = await createIntent();
    await stripe.paymentIntents.confirm(intent.id, { payment_method: 'pm_card_visa' });

    const first = await stripe.refunds.create({ payment_intent: intent.id, amount: 1200 });
    const tooMuch = stripe.refunds.create({ payment_intent: intent.id, amount: 3001 });

    await expect(tooMuch).rejects.toMatchObject({
      statusCode: 400,
      message: expect.stringContaining('greater than unrefunded'),
    });
    const rest = await stripe.refunds.create({ payment_intent: intent.id });
    expect([first.amount, rest.amount, rest.status]).toEqual([1200, 3000, 'succeeded']);
    await expect(stripe.refunds.create({ payment_intent: intent.id })).rejects.toMatchObject({
      code: 'charge_already_refunded',
    });
    const listed = await stripe.refunds.list({ payment_intent: intent.id });
    expect(listed.data.map((one) => one.id)).toEqual([rest.id, first.id]);
    expect(await stripe.charges.retrieve(String(rest.charge))).toMatchObject({
      refunded: true,
      amount_refunded: 4200,
    });
  });
});

describe('refunds to cards of banks that take their time', () => {
  it.each([
    ['pm_card_pendingRefund', 'pending', 'succeeded', 'refund.updated', 4200],
    ['pm_card_refundFail', 'succeeded', 'failed', 'refund.failed', 0],
    ['pm_card_pendingRefundFail', 'pending', 'failed', 'refund.failed', 0],
  ])('%s: %s, then %s with %s', async (card, first, later, event, left) => {
    const intent = await createIntent();
    await stripe.paymentIntents.confirm(intent.id, { payment_method: card });

    const refund = await stripe.refunds.create({ payment_intent: intent.id });
    await endpoint.received(event);

    expect(refund.status).toBe(first);
    expect(await stripe.refunds.retrieve(refund.id)).toMatchObject({
      status: later,
      ...(later === 'failed' && { failure_reason: 'expired_or_canceled_card' }),
    });
    expect(await stripe.charges.retrieve(String(refund.charge))).toMatchObject({
      amount_refunded: left,
    });
  });

  it('after a restart too; and the second try of a failed one stays', async () => {
    const intent = await createIntent();
    await stripe.paymentIntents.confirm(intent.id, { payment_method: 'pm_card_refundFail' });
    await stripe.refunds.create({ payment_intent: intent.id });
    await sandbox.close();

    await start();
    await endpoint.received('refund.failed');
    const second = await stripe.refunds.create({ payment_intent: intent.id });
    await sandbox.close();
    await start();
    const next = await createIntent();
    await stripe.paymentIntents.confirm(next.id, { payment_method: 'pm_card_pendingRefund' });
    await stripe.refunds.create({ payment_intent: next.id });
    await endpoint.received('refund.updated', next.id);

    expect(await stripe.refunds.retrieve(second.id)).toMatchObject({ status: 'succeeded' });
  });
});

describe('idempotency keys', () => {
  it('replay the first reply to the same request and refuse another', async () => {
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

  it('replay a decline too', async () => {
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

  it('refuse a second request while the first one runs', async () => {
    await fault({ point: 'create', kind: 'slow', delayMs: 300 });
    const impatient = client({ maxNetworkRetries: 0 });
    const create = () =>
      impatient.paymentIntents.create({ amount: 4200, currency: 'usd' }, { idempotencyKey: 'k3' });

    const settled = await Promise.allSettled([create(), create()]);

    expect(settled.map((one) => one.status).sort()).toEqual(['fulfilled', 'rejected']);
    const refused = settled.find((one) => one.status === 'rejected');
    expect(refused).toMatchObject({ reason: { statusCode: 409, code: 'idempotency_key_in_use' } });
  });
});

describe('faults', () => {
  it.each(['reset-before-effect', 'reset-after-effect', 'error-500-before-effect', '409'])(
    'the SDK gets over %s by itself, with one intent made',
    async (kind) => {
      await fault({ point: 'create', kind });

      await createIntent();

      expect((await ledger()).paymentIntents).toHaveLength(1);
    },
  );

  it('a 500 after the effect is kept under its key', async () => {
    await fault({ point: 'create', kind: 'error-500-after-effect' });

    const failed = stripe.paymentIntents.create(
      { amount: 4200, currency: 'usd' },
      { idempotencyKey: 'k4' },
    );

    await expect(failed).rejects.toMatchObject({ statusCode: 500 });
    expect((await ledger()).paymentIntents).toHaveLength(1);
  });
});

describe('webhooks', () => {
  it('are signed so that constructEvent accepts them', async () => {
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

  it('are tried again until the endpoint says 2xx', async () => {
    endpoint.refuseNext(3);

    await createIntent();
    await endpoint.received('payment_intent.created');

    const attempts = (await ledger()).deliveries.map((one) => one.status);
    expect(attempts.slice(0, 3)).toEqual([500, 500, 500]);
  });
});

describe('a restart', () => {
  it('forgets nothing and delivers what was not delivered', async () => {
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

async function start(): Promise<void> {
  sandbox = await createSandbox({
    ...keys,
    dataDir,
    webhookUrl: endpoint.url,
    retryDelaysMs: [20, 40],
    refundDelayMs: 100,
  });
  stripe = client({});
}

function client(options: { maxNetworkRetries?: number }): Stripe {
  return new Stripe(keys.secretKey, {
    host: '127.0.0.1',
    port: sandbox.port,
    protocol: 'http',
    maxNetworkRetries: 2,
    telemetry: false,
    ...options,
  });
}

function createIntent() {
  return stripe.paymentIntents.create({
    amount: 4200,
    currency: 'usd',
    metadata: { paymentId: 'p1' },
  });
}

function browser(at: string, body: object, key = keys.publishableKey): Promise<Response> {
  return fetch(`${sandbox.url}${at}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

async function authenticate(intent: Stripe.PaymentIntent, outcome: string): Promise<unknown> {
  const body = { client_secret: intent.client_secret, outcome };
  return (await browser(`/sandbox/payment_intents/${intent.id}/authenticate`, body)).json();
}

interface LedgerView {
  paymentIntents: object[];
  charges: object[];
  deliveries: { status: number | null }[];
}

async function ledger(): Promise<LedgerView> {
  const headers = { authorization: `Bearer ${keys.secretKey}` };
  return (await fetch(`${sandbox.url}/sandbox/ledger`, { headers })).json() as Promise<LedgerView>;
}

function fault(input: object): Promise<Response> {
  return browser('/sandbox/faults', input, keys.secretKey);
}

interface Endpoint {
  url: string;
  events: Stripe.Event[];
  refuseNext(count: number): void;
  /** Resolves once an event of a type has come; jest's own limit is the deadline. */
  received(type: string, intentId?: string): Promise<void>;
  close(): Promise<void>;
}

async function startEndpoint(): Promise<Endpoint> {
  const events: Stripe.Event[] = [];
  const { webhooks } = new Stripe('sk_test_any');
  let refusals = 0;
  let changed = () => {};
  const server: Server = createServer(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    refusals -= 1;
    if (refusals < 0) {
      const signature = String(req.headers['stripe-signature']);
      events.push(webhooks.constructEvent(Buffer.concat(chunks), signature, keys.webhookSecret));
    }
    res.writeHead(refusals < 0 ? 200 : 500).end();
    changed();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/api/payment/webhook`,
    events,
    refuseNext: (count) => {
      refusals = count;
    },
    async received(type, intentId) {
      const isIt = (event: Stripe.Event) =>
        event.type === type &&
        (!intentId || (event.data.object as Stripe.Refund).payment_intent === intentId);
      while (!events.some(isIt)) {
        await new Promise<void>((resolve) => {
          changed = resolve;
        });
      }
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
