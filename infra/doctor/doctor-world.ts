import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { routes, type ServiceName, serviceNames } from '@lendtools/contracts';
import { setUpBroker, wholeTopology } from '@lendtools/event-bus';
import { postgresMigrations } from '@lendtools/service-runtime';
import {
  brokerPasswords,
  createBucket,
  createMongoDatabase,
  createPostgresDatabase,
  createTestBroker,
  testServers,
} from '@lendtools/testing';
import { connect } from 'amqplib';
import pg from 'pg';
import { startSmtpSink } from '../../services/notifications/test/smtp-sink.ts';
import { createSandbox } from '../stripe-sandbox/src/app.ts';
import type { Subject } from './finding.ts';

export const secret = 'what-only-bookings-and-payments-know';
export const keys = { secretKey: 'sk_test_doctor', publishableKey: 'pk_test_doctor' };
export const webhookSecret = 'whsec_doctor';
export const connectSecret = 'whsec_doctor_connect';

export async function startServer(answer: RequestListener): Promise<Server> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

export function addressOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function startOthers(): Promise<Server> {
  return startServer((request, response) => {
    const reply = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (request.url === '/readyz') return reply(200, { status: 'ready' });
    if (request.url === routes.paymentWebhook.path)
      return reply(400, { code: 'WEBHOOK_SIGNATURE_INVALID' });
    return reply(request.headers.authorization === `Bearer ${secret}` ? 400 : 401, {});
  });
}

async function consumeAll(brokerUrl: string) {
  const connection = await connect(brokerUrl);
  connection.on('error', () => {});
  const channel = await connection.createChannel();
  for (const name of wholeTopology.queues) await channel.consume(name, () => {});
  return connection;
}

function migrationsOf(service: string) {
  return postgresMigrations(
    fileURLToPath(new URL(`../../services/${service}/migrations/`, import.meta.url)),
  );
}

function withUser(brokerUrl: string, service: ServiceName): string {
  const url = new URL(brokerUrl);
  url.username = service;
  url.password = brokerPasswords[service];
  return url.toString();
}

type Servers = Record<
  'broker' | 'bookings' | 'payments' | 'notifications' | 'bucket' | 'smtp' | 'sandbox',
  { url: string }
>;

/** The environments of a healthy marketplace. @param site also stands for every service that another one calls */
function subjectsOf(site: string, servers: Servers): Subject[] {
  const shared = (service: ServiceName) => ({
    PUBLIC_URL: site,
    ACCOUNTS_URL: site,
    AMQP_URL: withUser(servers.broker.url, service),
    AMQP_DECLARES: 'own',
  });
  return [
    {
      name: 'bookings',
      env: {
        ...shared('bookings'),
        DATABASE_URL: servers.bookings.url,
        PAYMENTS_URL: site,
        INTERNAL_SECRET: secret,
      },
    },
    {
      name: 'payments',
      env: {
        ...shared('payments'),
        DATABASE_URL: servers.payments.url,
        BOOKINGS_URL: site,
        S3_URL: servers.bucket.url,
        INTERNAL_SECRET: secret,
        STRIPE_SECRET_KEY: keys.secretKey,
        STRIPE_PUBLISHABLE_KEY: keys.publishableKey,
        STRIPE_WEBHOOK_SECRET: webhookSecret,
        STRIPE_CONNECT_WEBHOOK_SECRET: connectSecret,
        STRIPE_API_BASE: servers.sandbox.url,
      },
    },
    {
      name: 'notifications',
      env: {
        ...shared('notifications'),
        MONGO_URL: servers.notifications.url,
        PAYMENTS_URL: site,
        INTERNAL_SECRET: secret,
        SMTP_URL: servers.smtp.url.replace('smtp://', 'smtp://mailer:password-of-mail@'),
        MAIL_FROM: 'LendTools <hello@lendtools.test>',
      },
    },
    { name: 'broker', env: brokerEnvironment(servers.broker.url) },
  ];
}

function brokerEnvironment(brokerUrl: string): Subject['env'] {
  return {
    AMQP_URL: brokerUrl,
    AMQP_MANAGEMENT_URL: testServers().amqpManagementUrl,
    ...Object.fromEntries(
      serviceNames.map((name) => [`${name.toUpperCase()}_BROKER_PASSWORD`, brokerPasswords[name]]),
    ),
  };
}

export type DoctorWorld = Awaited<ReturnType<typeof startDoctorWorld>>;

export async function startDoctorWorld() {
  const folder = mkdtempSync(join(tmpdir(), 'doctor-'));
  const broker = await createTestBroker();
  const bucket = await createBucket();
  await setUpBroker({
    amqpUrl: broker.url,
    managementUrl: testServers().amqpManagementUrl,
    passwords: brokerPasswords,
  });
  const [bookings, payments, notifications, smtp, sandbox, others] = await Promise.all([
    createPostgresDatabase(migrationsOf('bookings')),
    createPostgresDatabase(migrationsOf('payments')),
    createMongoDatabase(),
    startSmtpSink(),
    createSandbox({ ...keys, webhookSecret, dataDir: folder }),
    startOthers(),
  ]);
  const pool = new pg.Pool({ connectionString: bookings.url, max: 1 });
  const consumers = await consumeAll(broker.url);
  const site = addressOf(others);
  sandbox.sendWebhooksTo(site + routes.paymentWebhook.path);
  sandbox.sendWebhooksTo(site + routes.connectWebhook.path, 'connect');
  const brokerUrlOf = (service: ServiceName) => withUser(broker.url, service);
  const databases = { bookings, payments, notifications };
  const subjects = subjectsOf(site, { ...databases, broker, bucket, smtp, sandbox });
  return {
    broker,
    bucket,
    brokerUrlOf,
    consumers,
    folder,
    pool,
    subjects,
    async stop() {
      await pool.end();
      others.close();
      await smtp.stop();
      await sandbox.close();
      for (const database of Object.values(databases)) await database.drop();
      await broker.drop();
      await bucket.drop();
      rmSync(folder, { recursive: true });
    },
  };
}
