import type { QueueName } from '@lendtools/contracts';
import type { Topology } from '@lendtools/event-bus';
import { postgresMigrations } from '@lendtools/service-runtime';
import type { Connection } from 'mongoose';
import { createMongoDatabase, createPostgresDatabase, type TestDatabase } from './databases.ts';
import { startTestAccounts, type TestAccounts } from './test-accounts.ts';
import { createTestBroker, type TestBroker } from './test-broker.ts';

export interface TestEnvironment {
  broker: TestBroker;
  accounts: TestAccounts;
  databaseUrl: string;
  env: Record<string, string>;
  /** Contains only the service's own queues, with retry delays and outage waits of milliseconds. */
  topology: Topology;
  stop(): Promise<void>;
}

const start = async (database: TestDatabase, queues: QueueName[]): Promise<TestEnvironment> => {
  const [broker, accounts] = await Promise.all([createTestBroker(), startTestAccounts()]);
  const hold = { firstMs: 20, longestMs: 50, forMs: 500 };
  const topology = { queues, retryDelaysMs: [20], hold };
  await broker.declare(topology);
  return {
    broker,
    accounts,
    databaseUrl: database.url,
    topology,
    env: {
      PORT: '0',
      PUBLIC_URL: 'http://lendtools.test',
      LOG_LEVEL: 'silent',
      AMQP_URL: broker.url,
      AMQP_DECLARES: 'own',
      ACCOUNTS_URL: accounts.url,
      CHECK_REPLIES: 'true',
      RATE_LIMIT_FACTOR: '1000',
    },
    async stop() {
      await accounts.stop();
      await broker.drop();
      await database.drop();
    },
  };
};

export const startPostgresEnvironment = async (
  migrations: string,
  queues: QueueName[],
): Promise<TestEnvironment> => {
  const environment = await start(
    await createPostgresDatabase(postgresMigrations(migrations)),
    queues,
  );
  environment.env.DATABASE_URL = environment.databaseUrl;
  return environment;
};

export interface MongoEnvironment extends TestEnvironment {
  database: Connection;
}

export const startMongoEnvironment = async (queues: QueueName[]): Promise<MongoEnvironment> => {
  // Loaded on demand: tests of PostgreSQL services don't need it.
  const { default: mongoose } = await import('mongoose');
  const environment = await start(await createMongoDatabase(), queues);
  environment.env.MONGO_URL = environment.databaseUrl;
  const database = await mongoose.createConnection(environment.databaseUrl).asPromise();
  return {
    ...environment,
    database,
    async stop() {
      await database.close();
      await environment.stop();
    },
  };
};
