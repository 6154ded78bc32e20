import { mkdtempSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach } from '@jest/globals';
import Stripe from 'stripe';
import { createSandbox, type Sandbox } from '../src/app.ts';

const keys = {
  secretKey: 'sk_test_sandbox',
  publishableKey: 'pk_test_sandbox',
  webhookSecret: 'whsec_sandbox',
};

export let sandbox: Sandbox;
export let stripe: Stripe;
export let dataDir: string;
export let endpoint: Endpoint;

/** Gives each test of the file a new sandbox, and an endpoint that receives its webhooks. */
export function useSandbox(): void {
  beforeEach(async () => {
    dataDir = mkdtempSync(path.join(tmpdir(), 'stripe-sandbox-'));
    endpoint = await startEndpoint();
    await start();
  });
  afterEach(async () => {
    await sandbox.close();
    await endpoint.close();
  });
}

/** Starts the sandbox on the ledger of the previous one. */
export async function start(): Promise<void> {
  sandbox = await createSandbox({
    ...keys,
    dataDir,
    webhookUrl: endpoint.url,
    retryDelaysMs: [20, 40],
    refundDelayMs: 100,
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

/** Calls with the secret key and returns the body, also of an error. */
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
  refuseNext(count: number): void;
  /** Sets the secret that webhooks must be signed with; initially the sandbox's own. */
  takes(secret: string): void;
  /** Resolves once an event of the type has arrived; Jest's timeout is the deadline. */
  received(type: string, intentId?: string): Promise<void>;
  close(): Promise<void>;
}

async function startEndpoint(): Promise<Endpoint> {
  const events: Stripe.Event[] = [];
  const { webhooks } = new Stripe('sk_test_any');
  let refusals = 0;
  let secret = keys.webhookSecret;
  let changed = () => {};
  const server: Server = createServer(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    refusals -= 1;
    if (refusals < 0) {
      const signature = String(req.headers['stripe-signature']);
      events.push(webhooks.constructEvent(Buffer.concat(chunks), signature, secret));
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
    takes(other) {
      secret = other;
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
