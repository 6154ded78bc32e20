import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  createLogger,
  createMetrics,
  createPool,
  inTransaction,
  type Pool,
} from '@lendtools/service-kit';
import {
  createMongoDatabase,
  createPostgresDatabase,
  createTestBroker,
  type TestBroker,
  type TestDatabase,
  waitFor,
} from '@lendtools/testing';
import mongoose from 'mongoose';
import { Broker } from '../src/broker.ts';
import { measureEventBus } from '../src/event-bus-metrics.ts';
import { newEvent } from '../src/new-event.ts';
import { MongoRelay } from '../src/outbox-mongo.ts';
import { addToOutbox, oldestInOutbox } from '../src/outbox-postgres.ts';
import { busMigrations } from './bus-migrations.ts';

const queues = ['catalog.hide-tools-when-owner-disabled', 'catalog.sync-owners'] as const;
const topology = { queues: [...queues], retryDelaysMs: [20] };
const logger = createLogger('test', 'silent');

let spy: TestBroker;
let database: TestDatabase;
let pool: Pool;
let broker: Broker;

beforeAll(async () => {
  [database, spy] = await Promise.all([
    createPostgresDatabase(
      busMigrations(fileURLToPath(new URL('effects-migration', import.meta.url))),
    ),
    createTestBroker(),
  ]);
  pool = createPool(database.url, logger);
  broker = new Broker({ url: spy.url, logger, topology, service: 'catalog' });
  broker.start();
  await broker.whenConnected();
});

afterAll(async () => {
  await broker.stop();
  await pool.end();
  await spy.drop();
  await database.drop();
});

const event = () =>
  newEvent(
    'AccountDisabled',
    { id: randomUUID(), version: 1 },
    { userId: randomUUID(), disabled: true },
  );

const scrape = async (oldestPending: () => Promise<Date | null>): Promise<string> => {
  const metrics = createMetrics('catalog');
  measureEventBus(metrics, { broker, queues, oldestPending });
  return metrics.registry.metrics();
};
const readingOf = (text: string, name: string): number | undefined => {
  const line = text.split('\n').find((each) => each.startsWith(name));
  return line === undefined ? undefined : Number(line.split(' ').at(-1));
};

describe('the metrics of events', () => {
  it('count the dead letters of each queue', async () => {
    await spy.sendRaw(`${queues[1]}.dead` as never, 'nonsense');

    // Wait, because a quorum queue updates its message count only every few seconds.
    const text = await waitFor('the count', async () => {
      const text = await scrape(() => oldestInOutbox(pool));
      return text.includes(`dead_letters{queue="${queues[1]}",service="catalog"} 1`) && text;
    });
    expect(text).toContain(`dead_letters{queue="${queues[0]}",service="catalog"} 0`);
    expect(readingOf(text, 'broker_publishing_blocked')).toBe(0);
  });

  it('count the ready messages of each queue, including the retry queues', async () => {
    await spy.sendRaw(queues[0], 'nonsense');

    const text = await waitFor('the count', async () => {
      const text = await scrape(() => oldestInOutbox(pool));
      return (
        text.includes(`queue_messages_ready{queue="${queues[0]}",service="catalog"} 1`) && text
      );
    });

    expect(text).toContain(`queue_messages_ready{queue="${queues[1]}",service="catalog"} 0`);
    expect(text).toContain('queue_messages_ready{queue="catalog.retry.20ms",service="catalog"} 0');
    expect(readingOf(text, 'broker_connected')).toBe(1);
  });

  it('report the age of the oldest unpublished event', async () => {
    const [late, later] = [event(), event()];
    const none = readingOf(await scrape(() => oldestInOutbox(pool)), 'outbox_oldest_age_seconds');
    await inTransaction(pool, (tx) => addToOutbox(tx, late, later));
    await pool.query(
      `UPDATE outbox_messages SET created_at = now() - interval '90 s' WHERE id = $1`,
      [late.id],
    );

    const age = readingOf(await scrape(() => oldestInOutbox(pool)), 'outbox_oldest_age_seconds');

    expect(none).toBe(0);
    expect(age).toBeGreaterThanOrEqual(90);
    expect(age).toBeLessThan(150);
  });

  it('report the age of the oldest unpublished event over all MongoDB collections', async () => {
    const mongo = await createMongoDatabase();
    const connection = await mongoose.createConnection(mongo.url).asPromise();
    const collections = ['messages', 'replies'];
    const relay = new MongoRelay({ connection, collections, broker, logger });
    const none = await relay.oldestPending();
    const pending = (occurredAt: string) => ({ pending: [{ ...event(), occurredAt }] });
    await connection
      .collection('messages')
      .insertMany([pending('2026-01-03T00:00:00.000Z'), { pending: [] }]);
    await connection.collection('replies').insertOne(pending('2026-01-02T00:00:00.000Z'));

    const oldest = await relay.oldestPending();

    expect([none, oldest]).toEqual([null, new Date('2026-01-02T00:00:00.000Z')]);
    await connection.close();
    await mongo.drop();
  });

  it('omit a metric that cannot be read, and report the others', async () => {
    const text = await scrape(() => Promise.reject(new Error('the database is away')));

    expect(readingOf(text, 'outbox_oldest_age_seconds')).toBeUndefined();
    expect(readingOf(text, 'dead_letters{')).toBeDefined();
  });

  it('are read from the database only once for several scrapes', async () => {
    const metrics = createMetrics('catalog');
    let requested = 0;
    const oldestPending = async () => {
      requested++;
      return null;
    };
    measureEventBus(metrics, { broker, queues, oldestPending });

    await Promise.all(Array.from({ length: 20 }, () => metrics.registry.metrics()));

    expect(requested).toBe(1);
  });
});
