import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { postgresMigrations } from '@lendtools/service-runtime';
import {
  accountRegistered,
  createMongoDatabase,
  createPostgresDatabase,
  createTestBroker,
  freePort,
  httpClient,
  startTestAccounts,
  type TestAccounts,
  type TestBroker,
  type TestDatabase,
  testServers,
  waitFor,
} from '@lendtools/testing';
import Stripe from 'stripe';
import { createSandbox } from '../infra/stripe-sandbox/src/app.ts';
import { type SmtpSink, startSmtpSink } from '../services/notifications/test/smtp-sink.ts';

interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  service: string;
}

interface Received {
  resourceSpans: {
    resource: { attributes: { key: string; value: { stringValue: string } }[] };
    scopeSpans: { spans: Omit<Span, 'service'>[] }[];
  }[];
}

const keys = {
  secretKey: 'sk_test_traces',
  publishableKey: 'pk_test_traces',
  webhookSecret: 'whsec_traces',
};
const folder = mkdtempSync(join(tmpdir(), 'traces-'));
const root = join(import.meta.dirname, '..');

let broker: TestBroker;
let accounts: TestAccounts;
let smtp: SmtpSink;
let sandbox: Awaited<ReturnType<typeof createSandbox>>;
let receiver: Receiver;
let databases: TestDatabase[];
const processes: ChildProcess[] = [];

interface Receiver {
  endpoint: string;
  text(): string;
  close(): void;
}

/** Receives traces, as Jaeger or Tempo would. If the test servers include a collector, reads its traces. */
const startReceiver = async (): Promise<Receiver> => {
  const { otlpUrl, tracesFile } = testServers();
  if (otlpUrl && tracesFile) {
    const begin = statSync(tracesFile, { throwIfNoEntry: false })?.size ?? 0;
    const written = () => readFileSync(tracesFile).subarray(begin).toString();
    return { endpoint: otlpUrl, text: written, close() {} };
  }
  let received = '';
  const server = createServer(async (request, response) => {
    received += `${await text(request)}\n`;
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    text: () => received,
    close: () => server.close(),
  };
};

const spansIn = (received: string): Span[] =>
  received
    .split('\n')
    .filter(Boolean)
    .flatMap((line) => (JSON.parse(line) as Received).resourceSpans)
    .flatMap(({ resource, scopeSpans }) => {
      const service = resource.attributes.find(({ key }) => key === 'service.name');
      const named = { service: service?.value.stringValue ?? '' };
      return scopeSpans.flatMap((scope) => scope.spans.map((span) => ({ ...span, ...named })));
    });

const startProcess = async (
  name: string,
  port: number,
  env: Record<string, string>,
): Promise<void> => {
  const main = name === 'gateway' ? 'gateway/src/main.ts' : `services/${name}/src/main.ts`;
  const child = spawn(process.execPath, [join(root, main)], {
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      PORT: String(port),
      LOG_LEVEL: 'error',
      ...env,
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  processes.push(child);
  await waitFor(`${name} to be ready`, async () => {
    if (child.exitCode !== null) throw new Error(`${name} ended`);
    // Wait for the broker too: without it the process is ready but degraded, and consumes no events.
    const reply = await fetch(`http://127.0.0.1:${port}/readyz`);
    return reply.ok && !(await reply.text()).includes('degraded');
  });
};

const startSite = async (): Promise<string> => {
  const migrationsOf = (name: string) =>
    postgresMigrations(join(root, `services/${name}/migrations/`));
  const [bookings, payments, notifications] = await Promise.all([
    createPostgresDatabase(migrationsOf('bookings')),
    createPostgresDatabase(migrationsOf('payments')),
    createMongoDatabase(),
  ]);
  databases = [bookings, payments, notifications];
  const ports = { bookings: 0, payments: 0, notifications: 0, gateway: 0 };
  for (const name of Object.keys(ports) as (keyof typeof ports)[]) ports[name] = await freePort();
  const urlOf = (name: keyof typeof ports) => `http://127.0.0.1:${ports[name]}`;
  const shared = {
    PUBLIC_URL: 'http://lendtools.test',
    AMQP_URL: broker.url,
    ACCOUNTS_URL: accounts.url,
    INTERNAL_SECRET: 'what-only-bookings-and-payments-know',
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint,
  };
  writeFileSync(join(folder, 'index.html'), '<title>LendTools</title>');
  await Promise.all([
    startProcess('bookings', ports.bookings, {
      ...shared,
      DATABASE_URL: bookings.url,
      PAYMENTS_URL: urlOf('payments'),
    }),
    startProcess('payments', ports.payments, {
      ...shared,
      DATABASE_URL: payments.url,
      BOOKINGS_URL: urlOf('bookings'),
      STRIPE_SECRET_KEY: keys.secretKey,
      STRIPE_PUBLISHABLE_KEY: keys.publishableKey,
      STRIPE_WEBHOOK_SECRET: keys.webhookSecret,
      STRIPE_API_BASE: sandbox.url,
    }),
    startProcess('notifications', ports.notifications, {
      ...shared,
      MONGO_URL: notifications.url,
      PAYMENTS_URL: urlOf('payments'),
      SMTP_URL: smtp.url,
      MAIL_FROM: 'LendTools <hello@lendtools.test>',
    }),
    startProcess('gateway', ports.gateway, {
      ...shared,
      WEB_DIST: folder,
      CATALOG_URL: urlOf('bookings'),
      BOOKINGS_URL: urlOf('bookings'),
      PAYMENTS_URL: urlOf('payments'),
      MESSAGING_URL: urlOf('notifications'),
      NOTIFICATIONS_URL: urlOf('notifications'),
    }),
  ]);
  return urlOf('gateway');
};

beforeAll(async () => {
  [broker, accounts, smtp, sandbox, receiver] = await Promise.all([
    createTestBroker(),
    startTestAccounts(),
    startSmtpSink(),
    createSandbox({ ...keys, dataDir: folder }),
    startReceiver(),
  ]);
});

afterAll(async () => {
  for (const child of processes) child.kill('SIGKILL');
  await Promise.all([accounts.stop(), smtp.stop(), sandbox.close()]);
  receiver.close();
  for (const database of databases) await database.drop();
  await broker.drop();
  rmSync(folder, { recursive: true });
});

const expectEmails = async (people: { email: string }[], about: RegExp): Promise<void> => {
  for (const { email } of people)
    await waitFor('an email', () =>
      smtp.received.some(({ to, subject }) => to.includes(email) && about.test(subject)),
    );
};

const purchase = async (site: string) => {
  const api = httpClient(site);
  const [owner, renter] = [
    accountRegistered({ firstName: 'Olga', lastName: 'Ownerson', timeZone: 'UTC' }),
    accountRegistered({ firstName: 'Rita', lastName: 'Rentersdottir', timeZone: 'UTC' }),
  ];
  for (const person of [owner, renter])
    await broker.sendNew('AccountRegistered', person, { id: person.userId, version: 1 });
  // The notifications service must have stored both users. Otherwise its consumer would retry and add spans to the
  // trace.
  await expectEmails([owner, renter], /welcome/i);
  const toolId = randomUUID();
  const listed = {
    toolId,
    ownerId: owner.userId,
    categoryId: randomUUID(),
    name: 'Hammer drill',
    description: 'Goes through anything.',
    priceCents: 1_250,
    rentalCircle: 'daily' as const,
    status: 'Available' as const,
    units: 1,
    timeZone: 'UTC',
    coverImage: '/api/images/tools-0123456789abcdef0123456789abcdef-640.webp',
    ownerDisabled: false,
    terms: null,
  };
  await broker.sendNew('ToolListed', listed, { id: toolId, version: 1 });
  const token = await accounts.sign({ userId: renter.userId });
  const inDays = (days: number) =>
    new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  const lines = [{ rental_id: toolId, quantity: 1, start_date: inDays(10), end_date: inDays(12) }];
  const held = await waitFor('the hold', async () => {
    const reply = await api.post(`/api/user/${renter.userId}/holds`, { token, body: { lines } });
    return reply.status === 201 && reply.body.hold;
  });
  const intent = await api.post('/api/payment/create-payment-intent', {
    token,
    body: { amount: held.amountCents, holdId: held.id, userId: renter.userId },
  });
  const intentId = String(intent.body.clientSecret).split('_secret_')[0] as string;
  const stripe = new Stripe(keys.secretKey, {
    host: '127.0.0.1',
    port: sandbox.port,
    protocol: 'http',
    telemetry: false,
  });
  await stripe.paymentIntents.confirm(intentId, { payment_method: 'pm_card_visa' });
  const confirmed = await api.put(`/api/payment/confirm-payment/${intent.body.paymentId}`, {
    token,
    headers: { traceparent: '00-11111111111111111111111111111111-2222222222222222-01' },
    body: { paymentIntentId: intentId },
  });
  expect(confirmed.status).toBe(200);
  await expectEmails([owner, renter], /booked|booking/i);
  return { owner, renter, token, toolId };
};

const wholeTrace = {
  'gateway: PUT /api/payment/confirm-payment/:paymentId': 1,
  'payments: PUT /api/payment/confirm-payment/:paymentId': 1,
  'payments: Stripe GET /v1/payment_intents': 1,
  'payments: transaction': 2,
  'payments: publish PaymentSucceeded': 1,
  'bookings: process bookings.confirm-bookings-when-payment-succeeded': 1,
  'bookings: transaction': 1,
  'bookings: publish BookingCreated': 1,
  'payments: process payments.expect-account-when-booking-created': 1,
  'notifications: process notifications.notify-parties-when-booking-created': 1,
  'notifications: publish NoticeCreated': 2,
  'notifications: send email': 2,
  'notifications: push notice:created': 2,
  'notifications: push booking:changed': 1,
  'notifications: push availability:changed': 1,
};

describe('the trace of a purchase', () => {
  it('connects the gateway, Stripe, the outboxes, the broker, emails and pushes', async () => {
    const site = await startSite();
    const { owner, renter, token } = await purchase(site);

    const whole = () => {
      const received = receiver.text();
      const spans = spansIn(received);
      const confirming = spans.find(({ name }) =>
        name.startsWith('PUT /api/payment/confirm-payment'),
      );
      const trace = spans.filter(({ traceId }) => traceId === confirming?.traceId);
      const counts: Record<string, number> = {};
      for (const { service, name } of trace) {
        const key = `${service}: ${name}`;
        counts[key] = (counts[key] ?? 0) + 1;
      }
      expect(counts).toEqual(wholeTrace);
      return { received, spans, confirming, trace };
    };
    // Each process exports its spans every few seconds, and the collector writes them with a delay.
    const { received, spans, confirming, trace } = await waitFor('the whole trace', whole);
    const known = new Set(trace.map(({ spanId }) => spanId));
    const orphans = trace.filter(({ parentSpanId }) => !known.has(parentSpanId ?? ''));
    expect(orphans).toMatchObject([{ service: 'gateway' }]);
    // Background work starts no trace: the only root spans are the gateway's.
    const beginnings = spans.filter(({ parentSpanId }) => !parentSpanId);
    expect(new Set(beginnings.map(({ service }) => service))).toEqual(new Set(['gateway']));
    // The gateway ignores the client's `traceparent`.
    expect(confirming?.traceId).not.toBe('1'.repeat(32));
    const personal = [owner, renter].flatMap(({ email, firstName, lastName, userId }) => [
      ...[email, firstName, lastName, userId],
    ]);
    expect([...personal, token, keys.secretKey].filter((each) => received.includes(each))).toEqual(
      [],
    );
  });
});
