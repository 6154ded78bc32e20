import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Envelope } from '@lendtools/contracts';
import { createLogger, createPool, inTransaction, type Pool } from '@lendtools/service-kit';
import {
  accountRegistered,
  createMongoDatabase,
  createPostgresDatabase,
  createTestBroker,
  type TestBroker,
  type TestDatabase,
  waitFor,
} from '@lendtools/testing';
import mongoose from 'mongoose';
import { Broker } from '../src/broker.ts';
import { Consumers, subscribe } from '../src/consumer.ts';
import { newEvent } from '../src/new-event.ts';
import { MongoRelay } from '../src/outbox-mongo.ts';
import { addToOutbox, oldestInOutbox, PostgresRelay } from '../src/outbox-postgres.ts';
import type { Topology } from '../src/topology.ts';
import { busMigrations } from './bus-migrations.ts';

const here = fileURLToPath(new URL('./', import.meta.url));
const logger = createLogger('test', 'silent');
const taken = 'catalog.hide-tools-when-owner-disabled';
const missing = 'notifications.sync-admins';
const topology: Topology = { queues: [taken, missing], retryDelaysMs: [20] };

let spy: TestBroker;
let broker: Broker;
let consumers: Consumers;
const consumed = new Set<string>();

beforeAll(async () => {
  spy = await createTestBroker();
  await spy.declare({ ...topology, queues: [taken] });
  broker = new Broker({ url: spy.url, logger, topology, service: 'catalog', declares: 'own' });
  const note = async ({ id }: { id: string }) => void consumed.add(id);
  consumers = new Consumers(broker, logger, [subscribe(taken, note)]);
  // Stop the spy, whose queue would take the events that should be unroutable.
  await spy.stopConsuming();
  broker.start();
  await broker.whenAbleToPublish();
});

afterAll(async () => {
  await consumers.stop();
  await broker.stop();
  await spy.drop();
});

const routable = (): Envelope => {
  const userId = randomUUID();
  return newEvent('AccountDisabled', { id: userId, version: 1 }, { userId, disabled: true });
};

const unroutable = (): Envelope =>
  newEvent('AccountRegistered', { id: randomUUID(), version: 1 }, accountRegistered());

const messagesIn = async (queue: string): Promise<number> =>
  (await broker.lengthsOf([queue])).get(queue) ?? 0;

describe('the outbox in PostgreSQL, with more unroutable events than a batch', () => {
  let database: TestDatabase;
  let pool: Pool;
  let relay: PostgresRelay;
  const blocking = Array.from({ length: 150 }, unroutable);

  beforeAll(async () => {
    database = await createPostgresDatabase(busMigrations(`${here}effects-migration`));
    pool = createPool(database.url, logger);
    relay = new PostgresRelay(database.url, broker, logger);
    await inTransaction(pool, (tx) => addToOutbox(tx, ...blocking));
    relay.start();
  });

  afterAll(async () => {
    await relay.stop();
    await pool.end();
    await database.drop();
  });

  it('publishes the other events', async () => {
    const event = routable();

    await inTransaction(pool, (tx) => addToOutbox(tx, event));

    await waitFor('the event behind them', () => consumed.has(event.id));
  });

  it('still reports the age of the oldest unroutable event', async () => {
    const { rows } = await pool.query('SELECT min(created_at) FROM outbox_messages');

    expect(await oldestInOutbox(pool)).toEqual(rows[0].min);
  });

  it('publishes unroutable events once their queue exists', async () => {
    await spy.declare(topology);

    await waitFor('an empty outbox', async () => (await oldestInOutbox(pool)) === null);
    expect(await messagesIn(missing)).toBeGreaterThanOrEqual(blocking.length);
  });
});

describe('the outbox in MongoDB, with more unroutable documents than a batch', () => {
  let database: TestDatabase;
  let connection: mongoose.Connection;
  let relay: MongoRelay;
  const event = routable();

  beforeAll(async () => {
    await spy.deleteQueue(missing);
    database = await createMongoDatabase();
    connection = await mongoose.createConnection(database.url).asPromise();
    const occurredAt = new Date(Date.now() - 60_000).toISOString();
    const documents = [...Array.from({ length: 150 }, unroutable), event].map((each, i) => ({
      _id: String(i).padStart(3, '0'),
      pending: [{ ...each, occurredAt }],
    }));
    await connection.collection<{ _id: string }>('messages').insertMany(documents);
    relay = new MongoRelay({ connection, collections: ['messages'], broker, logger });
    relay.start();
  });

  afterAll(async () => {
    await relay.stop();
    await connection.close();
    await database.drop();
  });

  it('publishes the other events', async () => {
    await waitFor('the event behind them', () => consumed.has(event.id));
  });

  it('publishes unroutable events once their queue exists', async () => {
    await spy.declare(topology);

    await waitFor('an empty outbox', async () => (await relay.oldestPending()) === null);
    expect(await messagesIn(missing)).toBeGreaterThanOrEqual(150);
  });
});
