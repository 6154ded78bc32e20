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

export const startServer = async (answer: RequestListener): Promise<Server> => {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
};

export const addressOf = (server: Server): string =>
  `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

/** Fakes the other services and the gateway, for the doctor's requests. */
const startOthers = (): Promise<Server> =>
  startServer((request, response) => {
    const reply = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (request.url === '/readyz') return reply(200, { status: 'ready' });
    if (request.url === routes.paymentWebhook.path)
      return reply(400, { code: 'WEBHOOK_SIGNATURE_INVALID' });
    return reply(request.headers.authorization === `Bearer ${secret}` ? 400 : 401, {});
  });

const consumeAll = async (brokerUrl: string) => {
  const connection = await connect(brokerUrl);
  connection.on('error', () => {});
  const channel = await connection.createChannel();
  for (const name of wholeTopology.queues) await channel.consume(name, () => {});
  return connection;
};

const migrationsOf = (service: string) =>
  postgresMigrations(
    fileURLToPath(new URL(`../../services/${service}/migrations/`, import.meta.url)),
  );

export type DoctorWorld = Awaited<ReturnType<typeof startDoctorWorld>>;

/** Settings of three services and the broker, with everything they need running and healthy. */
export const startDoctorWorld = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'doctor-'));
  const broker = await createTestBroker();
  const bucket = await createBucket();
  const { amqpManagementUrl } = testServers();
  await setUpBroker({
    amqpUrl: broker.url,
    managementUrl: amqpManagementUrl,
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
  const brokerUrlOf = (service: ServiceName): string => {
    const url = new URL(broker.url);
    url.username = service;
    url.password = brokerPasswords[service];
    return url.toString();
  };
  const shared = (service: ServiceName) => ({
    PUBLIC_URL: site,
    ACCOUNTS_URL: site,
    AMQP_URL: brokerUrlOf(service),
    AMQP_DECLARES: 'own',
  });
  const subjects: Subject[] = [
    {
      name: 'bookings',
      env: {
        ...shared('bookings'),
        DATABASE_URL: bookings.url,
        PAYMENTS_URL: site,
        INTERNAL_SECRET: secret,
      },
    },
    {
      name: 'payments',
      env: {
        ...shared('payments'),
        DATABASE_URL: payments.url,
        BOOKINGS_URL: site,
        S3_URL: bucket.url,
        INTERNAL_SECRET: secret,
        STRIPE_SECRET_KEY: keys.secretKey,
        STRIPE_PUBLISHABLE_KEY: keys.publishableKey,
        STRIPE_WEBHOOK_SECRET: webhookSecret,
        STRIPE_API_BASE: sandbox.url,
      },
    },
    {
      name: 'notifications',
      env: {
        ...shared('notifications'),
        MONGO_URL: notifications.url,
        SMTP_URL: smtp.url.replace('smtp://', 'smtp://mailer:password-of-mail@'),
        MAIL_FROM: 'LendTools <hello@lendtools.test>',
      },
    },
    {
      name: 'broker',
      env: {
        AMQP_URL: broker.url,
        AMQP_MANAGEMENT_URL: amqpManagementUrl,
        ...Object.fromEntries(
          serviceNames.map((name) => [
            `${name.toUpperCase()}_BROKER_PASSWORD`,
            brokerPasswords[name],
          ]),
        ),
      },
    },
  ];
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
      for (const database of [bookings, payments, notifications]) await database.drop();
      await broker.drop();
      await bucket.drop();
      rmSync(folder, { recursive: true });
    },
  };
};
