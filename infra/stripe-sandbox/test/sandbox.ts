import { mkdtempSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach } from '@jest/globals';
import Stripe from 'stripe';
import { createSandbox, type Sandbox, type SandboxOptions } from '../src/app.ts';

const keys = {
  secretKey: 'sk_test_sandbox',
  publishableKey: 'pk_test_sandbox',
  webhookSecret: 'whsec_sandbox',
};

const CONNECT_SECRET = 'whsec_connect';

export let sandbox: Sandbox;
export let stripe: Stripe;
export let dataDir: string;
export let endpoint: Endpoint;
export let connectEndpoint: Endpoint;

/** Gives each test of the file a new sandbox, and the two endpoints that receive its webhooks. */
export function useSandbox(): void {
  beforeEach(async () => {
    dataDir = mkdtempSync(path.join(tmpdir(), 'stripe-sandbox-'));
    endpoint = await startEndpoint(keys.webhookSecret);
    connectEndpoint = await startEndpoint(CONNECT_SECRET);
    await start();
  });
  afterEach(async () => {
    await sandbox.close();
    await endpoint.close();
    await connectEndpoint.close();
  });
}

/** Starts a sandbox with the ledger of the previous one. */
export async function start(options: Partial<SandboxOptions> = {}): Promise<void> {
  sandbox = await createSandbox({
    ...keys,
    dataDir,
    webhookUrl: endpoint.url,
    connectWebhook: { url: connectEndpoint.url, secret: CONNECT_SECRET },
    retryDelaysMs: [20, 40],
    refundDelayMs: 100,
    captureDelayMs: 100,
    ...options,
  });
  stripe = client({});
}

export function client(options: { maxNetworkRetries?: number }): Stripe {
  return new Stripe(keys.secretKey, {
    host: '127.0.0.1',
    port: sandbox.port,
    protocol: 'http',
    maxNetworkRetries: 2,
    telemetry: false,
    ...options,
  });
}

export function createIntent(params?: Partial<Stripe.PaymentIntentCreateParams>) {
  return stripe.paymentIntents.create({
    amount: 4200,
    currency: 'usd',
    metadata: { paymentId: 'p1' },
    ...params,
  });
}

export function browser(at: string, body: object, key = keys.publishableKey): Promise<Response> {
  return fetch(`${sandbox.url}${at}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

export async function post(at: string, body: object = {}) {
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the body that it requested.
  return (await browser(at, body, keys.secretKey)).json() as Promise<any>;
}

export async function authenticate(
  intent: Stripe.PaymentIntent,
  outcome: string,
): Promise<unknown> {
  const body = { client_secret: intent.client_secret, outcome };
  return (await browser(`/sandbox/payment_intents/${intent.id}/authenticate`, body)).json();
}

export function createAccount(params?: Stripe.AccountCreateParams): Promise<Stripe.Account> {
  return stripe.accounts.create({
    controller: {
      fees: { payer: 'application' },
      losses: { payments: 'application' },
      requirement_collection: 'stripe',
      stripe_dashboard: { type: 'express' },
    },
    capabilities: { transfers: { requested: true } },
    ...params,
  });
}

/** Opens the onboarding page, ends it with the outcome, and returns the URL that the page leads to. */
export async function onboard(account: string, outcome: string, bank?: string): Promise<string> {
  const link = await stripe.accountLinks.create({
    account,
    type: 'account_onboarding',
    refresh_url: 'https://lendtools.test/refresh',
    return_url: 'https://lendtools.test/return',
  });
  await fetch(link.url);
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ outcome, bank });
  const reply = await fetch(link.url, { method: 'POST', headers, body });
  return ((await reply.json()) as { url: string }).url;
}

interface LedgerView {
  paymentIntents: object[];
  charges: object[];
  deliveries: { status: number | null }[];
}

export async function ledger(): Promise<LedgerView> {
  const headers = { authorization: `Bearer ${keys.secretKey}` };
  return (await fetch(`${sandbox.url}/sandbox/ledger`, { headers })).json() as Promise<LedgerView>;
}

export function fault(input: object): Promise<Response> {
  return browser('/sandbox/faults', input, keys.secretKey);
}

interface Endpoint {
  url: string;
  events: Stripe.Event[];
  rejectNext(count: number): void;
  /** Sets the secret that signs webhooks. */
  takes(secret: string): void;
  received(type: string, intentId?: string, account?: string): Promise<void>;
  close(): Promise<void>;
}

async function startEndpoint(signedWith: string): Promise<Endpoint> {
  const events: Stripe.Event[] = [];
  const { webhooks } = new Stripe('sk_test_any');
  let rejections = 0;
  let secret = signedWith;
  let changed = () => {};
  const server: Server = createServer(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    rejections -= 1;
    if (rejections < 0) {
      const signature = String(req.headers['stripe-signature']);
      events.push(webhooks.constructEvent(Buffer.concat(chunks), signature, secret));
    }
    res.writeHead(rejections < 0 ? 200 : 500).end();
    changed();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/api/payment/webhook`,
    events,
    rejectNext: (count) => {
      rejections = count;
    },
    takes(other) {
      secret = other;
    },
    async received(type, intentId, account) {
      const isIt = (event: Stripe.Event) =>
        event.type === type &&
        (!account || event.account === account) &&
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
