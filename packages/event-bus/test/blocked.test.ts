import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Envelope } from '@lendtools/contracts';
import { createLogger, createPool, inTransaction, type Pool } from '@lendtools/service-kit';
import {
  createPostgresDatabase,
  createTestBroker,
  type TestBroker,
  type TestDatabase,
  waitFor,
} from '@lendtools/testing';
import { Broker } from '../src/broker.ts';
import { Consumers, subscribe } from '../src/consumer.ts';
import { newEvent } from '../src/new-event.ts';
import { addToOutbox, PostgresRelay } from '../src/outbox-postgres.ts';
import type { Topology } from '../src/topology.ts';
import { type BlockingProxy, startBlockingProxy } from './blocking-proxy.ts';
import { busMigrations } from './bus-migrations.ts';

const queue = 'catalog.hide-tools-when-owner-disabled';
const topology: Topology = { queues: [queue], retryDelaysMs: [20] };
const logger = createLogger('test', 'silent');
// Even on a busy machine, the notice that the broker is blocked arrives within this time.
const confirmTimeoutMs = 1_500;

let database: TestDatabase;
let spy: TestBroker;
let proxy: BlockingProxy;
let pool: Pool;
let broker: Broker;
let consumers: Consumers;
let relay: PostgresRelay;
let handled: string[] = [];
let tried: string[] = [];
const failures = new Map<string, number>();

const disabled = (userId: string = randomUUID()): Envelope =>
  newEvent('AccountDisabled', { id: userId, version: 1 }, { userId, disabled: true });
const add = (...events: Envelope[]) => inTransaction(pool, (tx) => addToOutbox(tx, ...events));
const timesReceived = ({ id }: Envelope) => spy.received.filter((event) => event.id === id).length;
/** Waits so long that a relay that ignored the block would publish several times. */
const severalTimeouts = () => {
  const end = Date.now() + 3 * confirmTimeoutMs;
  return waitFor('several time-outs to have passed', () => Date.now() > end);
};

beforeAll(async () => {
  [database, spy] = await Promise.all([
    createPostgresDatabase(
      busMigrations(fileURLToPath(new URL('effects-migration', import.meta.url))),
    ),
    createTestBroker(),
  ]);
  proxy = await startBlockingProxy(spy.url);
  pool = createPool(database.url, logger);
});

const start = async () => {
  handled = [];
  tried = [];
  broker = new Broker({ url: proxy.url, logger, topology, service: 'catalog', confirmTimeoutMs });
  consumers = new Consumers(broker, logger, [
    subscribe(queue, async ({ data: { userId } }) => {
      tried.push(userId);
      const left = failures.get(userId) ?? 0;
      failures.set(userId, left - 1);
      if (left > 0) throw new Error('not yet');
      handled.push(userId);
    }),
  ]);
  relay = new PostgresRelay(database.url, broker, logger);
  broker.start();
  relay.start();
  await broker.whenConnected();
};
beforeEach(start);

const stop = async () => {
  await consumers.stop();
  await relay.stop();
  await broker.stop();
};

afterEach(async () => {
  proxy.unblock();
  await stop();
});

afterAll(async () => {
  await proxy.stop();
  await pool.end();
  await spy.drop();
  await database.drop();
});

describe('a service whose broker is blocked', () => {
  it('publishes a batch only once, after the broker unblocks', async () => {
    const [first, second] = [disabled(), disabled()];
    proxy.block();
    await add(first);
    await severalTimeouts();
    const held = proxy.heldBytes;
    await add(second);
    await severalTimeouts();

    expect(proxy.heldBytes).toBe(held);
    proxy.unblock();

    await waitFor('both', () => timesReceived(first) > 0 && timesReceived(second) > 0);
    await add(disabled());
    await waitFor('what came after', () => handled.length === 3);
    expect([timesReceived(first), timesReceived(second)]).toEqual([1, 1]);
  });

  it('keeps waiting for the confirm of an event sent before the block', async () => {
    const event = disabled();
    proxy.block();
    const published = broker.publishEvent(event);
    await waitFor('the news', () => broker.isBlocked);
    await severalTimeouts();
    proxy.unblock();

    await expect(published).resolves.toBeUndefined();
    expect(timesReceived(event)).toBe(1);
  });

  it('keeps consuming', async () => {
    proxy.block();
    for (let i = 0; i < 30; i++) await spy.send(disabled());
    await waitFor('all of them', () => handled.length === 30);
    await stop();
    proxy.unblock();

    await start();
    const last = disabled();
    await spy.send(last);
    await waitFor('the last one', () => handled.length > 0);
    expect(handled).toEqual([last.aggregateId]);
  });

  it('keeps consuming when more events fail than a queue delivers at once', async () => {
    const events = Array.from({ length: 25 }, () => disabled());
    for (const { aggregateId } of events) failures.set(aggregateId, 1);
    proxy.block();
    await add(disabled());
    await waitFor('the news', () => broker.isBlocked);

    for (const event of events) await spy.send(event);

    await waitFor('all of them', () => handled.length === events.length);
    expect(broker.isBlocked).toBe(true);
  });

  it('keeps an event that fails repeatedly, and dead-letters it only once, when the broker unblocks', async () => {
    const event = disabled();
    failures.set(event.aggregateId, Number.POSITIVE_INFINITY);
    proxy.block();
    await add(disabled());
    await waitFor('the news', () => broker.isBlocked);
    await spy.send(event);
    await severalTimeouts();
    const deadMeanwhile = await spy.countDead(queue);

    proxy.unblock();

    await waitFor('the dead letter', async () => (await spy.countDead(queue)) === 1);
    await spy.send(disabled());
    await waitFor('what came after', () => handled.length > 1);
    expect([deadMeanwhile, await spy.countDead(queue)]).toEqual([0, 1]);
  });

  it('stops without waiting for the broker', async () => {
    const event = disabled();
    failures.set(event.aggregateId, Number.POSITIVE_INFINITY);
    proxy.block();
    await add(disabled());
    await waitFor('the news', () => broker.isBlocked);
    await spy.send(event);
    await waitFor('a failure', () => tried.includes(event.aggregateId));

    await stop();

    expect(broker.isConnected).toBe(false);
  });
});
