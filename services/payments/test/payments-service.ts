import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  type ErrorCode,
  type Event,
  type QueueName,
  type RefundOwed,
  subscriptions,
} from '@lendtools/contracts';
import { newEvent } from '@lendtools/event-bus';
import { type Running, readConfig } from '@lendtools/service-kit';
import { httpClient, startPostgresEnvironment, type TestBroker, waitFor } from '@lendtools/testing';
import pg from 'pg';
import Stripe from 'stripe';
import { createSandbox } from '../../../infra/stripe-sandbox/src/app.ts';
import { config } from '../src/config.ts';
import { migrations, startPayments } from '../src/start-payments.ts';

const keys = {
  secretKey: 'sk_test_payments',
  publishableKey: 'pk_test_payments',
  webhookSecret: 'whsec_payments',
};

const nextWebhookSecret = 'whsec_next';

export const internalSecret = 'what-only-bookings-and-payments-know';

interface SandboxLedger {
  paymentIntents: { id: string; status: string; metadata: Record<string, string> }[];
  charges: {
    captured: boolean;
    amount_captured: number;
    id: string;
    status: string;
    amount: number;
    amount_refunded: number;
    payment_intent: string;
  }[];
  refunds: { id: string; amount: number; payment_intent: string; status: string }[];
  events: { id: string; type: string; data: { object: { id: string; payment_intent?: string } } }[];
  deliveries: { event: string; delivered: boolean }[];
}

interface Authorization {
  holdId: string;
  paymentId: string;
  userId: string;
  amountCents: number;
  status: string;
}

const readJson = async (request: IncomingMessage) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString());
};

interface TestHold {
  amount: number;
  expiresAt?: Date;
  userId: string;
  /** The card is only authorized. */
  onRequest?: boolean;
  /** The hold ends after this many checkouts. */
  checkouts?: number;
}

/** Starts the environment of payments: database, broker, Stripe sandbox and a fake of bookings. */
export const startTestWorld = async () => {
  const queues = Object.keys(subscriptions).filter((name) => name.startsWith('payments.'));
  const environment = await startPostgresEnvironment(migrations, queues as QueueName[]);
  const dataDir = mkdtempSync(path.join(tmpdir(), 'payments-stripe-'));
  const sandbox = await createSandbox({
    ...keys,
    dataDir,
    retryDelaysMs: [50, 100],
    refundDelayMs: 300,
  });
  const bookings = await startBookings();
  const pool = new pg.Pool({ connectionString: environment.databaseUrl, max: 2 });
  pool.on('error', () => {});
  const stripe = new Stripe(keys.secretKey, {
    host: '127.0.0.1',
    port: sandbox.port,
    protocol: 'http',
    telemetry: false,
  });
  const controls = httpClient(sandbox.url);
  const { accounts, topology } = environment;
  /** `send` also makes bookings owe the event's refunds; `sendRaw` does not, like a forged event. */
  const broker: TestBroker = {
    ...environment.broker,
    async send(event) {
      bookings.refunds.push(...refundsOf(event as Event));
      await environment.broker.send(event);
    },
  };
  return {
    broker,
    accounts,
    topology,
    pool,
    databaseUrl: environment.databaseUrl,
    stripe,
    sandbox,
    holds: bookings.holds,
    /** How many of the next requests bookings drops without a reply. */
    bookingsOutage: bookings.outage,
    /** The states of the requests, `open` by default, and the authorizations reported to bookings. */
    requests: bookings.requests,
    authorizations: bookings.authorizations,
    bookingsOf: bookings.bookingsOf,
    refundsOwed: bookings.refunds,
    /** Bookings' reply to whether a user may start another payment; 200 by default. */
    paymentLimits: bookings.paymentLimits,
    env: {
      ...environment.env,
      BOOKINGS_URL: bookings.url,
      INTERNAL_SECRET: internalSecret,
      STRIPE_SECRET_KEY: keys.secretKey,
      STRIPE_PUBLISHABLE_KEY: keys.publishableKey,
      STRIPE_WEBHOOK_SECRET: `${keys.webhookSecret},${nextWebhookSecret}`,
      STRIPE_API_BASE: sandbox.url,
    },
    fault: (fault: object) =>
      controls.post('/sandbox/faults', { token: keys.secretKey, body: fault }),
    async failAuthentication(intentId: string) {
      await stripe.paymentIntents.confirm(intentId, {
        payment_method: 'pm_card_authenticationRequired',
      });
      const reply = await controls.post(`/sandbox/payment_intents/${intentId}/authenticate`, {
        token: keys.secretKey,
        body: { outcome: 'fail' },
      });
      return reply.body;
    },
    expireAtStripe: (intentId: string) =>
      controls.post(`/sandbox/payment_intents/${intentId}/expire`, { token: keys.secretKey }),
    faultsLeft: async (): Promise<number> => {
      const { body } = await controls.get('/sandbox/faults', { token: keys.secretKey });
      return body.faults.reduce((sum: number, { count }: { count: number }) => sum + count, 0);
    },
    clearFaults: () => controls.delete('/sandbox/faults', { token: keys.secretKey }),
    ledger: async (): Promise<SandboxLedger> =>
      (await controls.get('/sandbox/ledger', { token: keys.secretKey })).body,
    /** Waits until all events of an intent are delivered, so that none overwrites what a test changes in the tables. */
    webhooksDelivered: (intentId: string) =>
      waitFor('the webhooks', async () => {
        const { body } = await controls.get('/sandbox/ledger', { token: keys.secretKey });
        const { events, deliveries } = body as SandboxLedger;
        const delivered = new Set(
          deliveries.filter((one) => one.delivered).map((one) => one.event),
        );
        return events
          .filter(({ data: { object } }) => [object.id, object.payment_intent].includes(intentId))
          .every(({ id }) => delivered.has(id));
      }),
    published: (type: string, paymentId: string) =>
      broker.heard.filter(
        (event) =>
          event.type === type && (event.data as { paymentId?: string }).paymentId === paymentId,
      ),
    async stop() {
      await pool.end();
      await sandbox.close();
      await bookings.stop();
      await environment.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
};

export type TestWorld = Awaited<ReturnType<typeof startTestWorld>>;

export const startTestPayments = async (
  options: { replicas?: number; env?: Record<string, string> } = {},
) => {
  const world = await startTestWorld();
  const { broker, accounts, pool, sandbox, stripe, holds } = world;
  const settings = readConfig(config, { ...world.env, ...options.env });
  const startOne = (): Promise<Running> =>
    startPayments(settings, { topology: world.topology, jobIntervalMs: 50 });
  const running: Running[] = [];
  for (let n = 0; n < (options.replicas ?? 1); n += 1) running.push(await startOne());
  const url = (running[0] as Running).url;
  const api = httpClient(url);

  const service = {
    ...world,
    api,
    url,
    webhookSecret: keys.webhookSecret,
    nextWebhookSecret,
    publishableKey: keys.publishableKey,
    connectWebhooks: () => sandbox.sendWebhooksTo(`${url}/api/payment/webhook`),
    sendWebhook(event: object) {
      const payload = JSON.stringify(event);
      const signature = stripe.webhooks.generateTestHeaderString({
        payload,
        secret: keys.webhookSecret,
      });
      return fetch(`${url}/api/payment/webhook`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'stripe-signature': signature },
        body: payload,
      });
    },
    async signIn() {
      const userId = randomUUID();
      return { userId, token: await accounts.sign({ userId }) };
    },
    async buy(hold: Partial<TestHold> = {}) {
      const user = await service.signIn();
      const holdId = randomUUID();
      const amount = hold.amount ?? 4200;
      holds.set(holdId, { userId: user.userId, ...hold, amount });
      const create = () =>
        api.post('/api/payment/create-payment-intent', {
          token: user.token,
          body: { amount, holdId, userId: user.userId },
        });
      const reply = await create();
      const { clientSecret, paymentId } = reply.body;
      const intentId = String(clientSecret).split('_secret_')[0] as string;
      return { ...user, holdId, amount, create, reply, clientSecret, paymentId, intentId };
    },
    async pay(intentId: string, card = 'pm_card_visa') {
      return stripe.paymentIntents.confirm(intentId, { payment_method: card });
    },
    confirm(bought: { token: string; paymentId: string; intentId: string }) {
      return api.put(`/api/payment/confirm-payment/${bought.paymentId}`, {
        token: bought.token,
        body: { paymentIntentId: bought.intentId },
      });
    },
    /** Buys, pays, and waits for PaymentSucceeded. */
    async buyAndPay(card?: string) {
      const bought = await service.buy();
      await service.pay(bought.intentId, card);
      await service.confirm(bought);
      await broker.expectEvent('PaymentSucceeded', (data) => data.paymentId === bought.paymentId);
      return bought;
    },
    /** Authorizes the card of a hold on request, and waits until it is reported to bookings. */
    async authorize(card?: string) {
      const bought = await service.buy({ onRequest: true });
      await service.pay(bought.intentId, card);
      await service.confirm(bought);
      await service.reported(bought.paymentId, 'authorized');
      await service.rests(bought.paymentId);
      return bought;
    },
    /** Waits until the payment of an open request is handled: its next check is minutes away. */
    rests: (paymentId: string) =>
      waitFor('the payment to rest', async () => {
        const { next_check_at: nextAt } = await service.row(paymentId);
        return nextAt > new Date(Date.now() + 4 * 60_000);
      }),
    reported: (paymentId: string, status: string) =>
      waitFor(`the report to bookings: ${status}`, async () =>
        world.authorizations.find((one) => one.paymentId === paymentId && one.status === status),
      ),
    async row(paymentId: string) {
      const { rows } = await pool.query('SELECT * FROM payments WHERE id = $1', [paymentId]);
      return rows[0];
    },
    /** Makes the payment expired and due for the reconciler. */
    async expire(paymentId: string) {
      await pool.query(
        'UPDATE payments SET expires_at = now(), next_check_at = now() WHERE id = $1',
        [paymentId],
      );
    },
    async checkNow(paymentId: string) {
      await pool.query('UPDATE payments SET next_check_at = now() WHERE id = $1', [paymentId]);
    },
    async stop() {
      for (const one of running) await one.stop();
      await world.stop();
    },
  };
  return service;
};

export type TestPayments = Awaited<ReturnType<typeof startTestPayments>>;

/** Builds a BookingRejected that refunds the whole payment, or other cents. */
export const rejection = (
  bought: { paymentId: string; userId: string; holdId: string },
  refundCents = 4200,
) => {
  const { paymentId, userId, holdId } = bought;
  return newEvent(
    'BookingRejected',
    { id: paymentId, version: 1 },
    { paymentId, userId, holdId, refundCents, reason: 'slot-lost', toolNames: ['Drill'] },
  );
};

/** Builds a BookingCancelled that refunds cents of one payment, or the given parts. */
export const cancellation = (
  bought: { paymentId: string; userId: string },
  refundCents: number,
  refundParts = [{ paymentId: bought.paymentId, refundCents }],
) => {
  const bookingId = randomUUID();
  return newEvent(
    'BookingCancelled',
    { id: bookingId, version: 3 },
    {
      bookingId,
      toolId: randomUUID(),
      toolName: 'Drill',
      ownerId: randomUUID(),
      renterId: bought.userId,
      bookingCode: 'LT123456',
      quantity: 1,
      cancelledBy: 'renter',
      reason: '',
      refunds: refundParts,
    },
  );
};

export const acceptance = ({ holdId, userId }: { holdId: string; userId: string }) => {
  const bookingId = randomUUID();
  const parties = { toolId: randomUUID(), toolName: 'Drill', ownerId: randomUUID() };
  const data = { bookingId, ...parties, renterId: userId, bookingCode: 'LT123456', holdId };
  return newEvent('BookingAccepted', { id: bookingId, version: 3 }, data);
};

const refundsOf = ({ type, data }: Event): RefundOwed[] => {
  if (type === 'BookingRejected') return [{ ...data, bookingId: null }];
  if (type === 'BookingRefundGranted') {
    const { bookingId, grantId, toolName } = data;
    const shared = { bookingId, grantId, reason: 'admin' as const, toolNames: [toolName] };
    return data.refunds.map((refund) => ({ ...refund, ...shared }));
  }
  if (type === 'BookingChanged') {
    const { bookingId, changeId: grantId, toolName } = data;
    const shared = { bookingId, grantId, reason: 'changed' as const, toolNames: [toolName] };
    return data.refunds.map((refund) => ({ ...refund, ...shared }));
  }
  if (type !== 'BookingCancelled') return [];
  const { bookingId, toolName } = data;
  const shared = { bookingId, reason: 'cancelled' as const, toolNames: [toolName] };
  return data.refunds.map((refund) => ({ ...refund, ...shared }));
};

/** Starts a fake of bookings: it returns a hold's price to its renter, and the refunds owed to callers with the secret. */
const startBookings = async () => {
  const refunds: RefundOwed[] = [];
  const bookingsOf = new Map<string, object[]>();
  const holds = new Map<string, TestHold>();
  const outage = { requests: 0 };
  const requests = new Map<string, 'open' | 'accepted' | 'ended'>();
  const authorizations: Authorization[] = [];
  const paymentLimits = new Map<string, { status: number; code: ErrorCode; detail: string }>();
  const server = createServer((request, response) => {
    outage.requests -= 1;
    if (outage.requests >= 0) {
      request.socket.destroy();
      return;
    }
    const wanted = /^\/internal\/bookings-of-payments\?payments=(.+)$/.exec(request.url ?? '')?.[1];
    if (wanted) {
      const payments = decodeURIComponent(wanted)
        .split(',')
        .map((paymentId) => ({ paymentId, bookings: bookingsOf.get(paymentId) ?? [] }));
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ payments }));
      return;
    }
    const payer = /^\/internal\/users\/([^/]+)\/payment-limit$/.exec(request.url ?? '')?.[1];
    if (payer) {
      const { status, ...refused } = paymentLimits.get(payer) ?? { status: 200 };
      const retryAfter = status === 429 && { 'retry-after': '5400' };
      response.writeHead(status, { 'content-type': 'application/json', ...retryAfter });
      response.end(JSON.stringify(status === 200 ? { message: '' } : { ...refused, errors: [] }));
      return;
    }
    if (request.method === 'GET') {
      const isOurs = request.headers.authorization === `Bearer ${internalSecret}`;
      const paymentId = /^\/internal\/payments\/([^/]+)\/refunds$/.exec(request.url ?? '')?.[1];
      const answer = paymentId
        ? { refunds: refunds.filter((refund) => refund.paymentId === paymentId) }
        : { items: refunds, nextCursor: null, upTo: new Date().toISOString() };
      response.writeHead(isOurs ? 200 : 401, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answer));
      return;
    }
    const authorizedHold = /^\/internal\/holds\/([^/]+)\/authorization$/.exec(
      request.url ?? '',
    )?.[1];
    if (authorizedHold) {
      const isOurs = request.headers.authorization === `Bearer ${internalSecret}`;
      void readJson(request).then((body) => {
        authorizations.push({ holdId: authorizedHold, ...body });
        response.writeHead(isOurs ? 200 : 401, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ request: requests.get(authorizedHold) ?? 'open' }));
      });
      return;
    }
    const holdId = /^\/internal\/holds\/([^/]+)\/checkout$/.exec(request.url ?? '')?.[1] ?? '';
    const hold = holds.get(holdId);
    const claims = String(request.headers.authorization).split('.')[1] ?? '';
    const caller = JSON.parse(Buffer.from(claims, 'base64url').toString() || '{}').sub;
    const found = hold && hold.userId === caller;
    if (hold?.checkouts !== undefined) hold.checkouts -= 1;
    if (hold?.checkouts === 0) holds.delete(holdId);
    const expiresAt = hold?.expiresAt ?? new Date(Date.now() + 15 * 60_000);
    const answer = found
      ? { ...hold, currency: 'usd', expiresAt: expiresAt.toISOString() }
      : { code: 'HOLD_NOT_FOUND', detail: 'There is no such reservation.', errors: [] };
    response.writeHead(found ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    holds,
    refunds,
    bookingsOf,
    outage,
    requests,
    authorizations,
    paymentLimits,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
