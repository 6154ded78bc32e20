import { randomUUID } from 'node:crypto';
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
import { postgresMigrations } from '../src/start-service.ts';
import type { Topology } from '../src/topology.ts';
import { type BlockingProxy, startBlockingProxy } from './blocking-proxy.ts';

const queue = 'catalog.hide-tools-when-owner-disabled';
const topology: Topology = { queues: [queue], retryDelaysMs: [20] };
const logger = createLogger('test', 'silent');
const confirmTimeoutMs = 300;

let database: TestDatabase;
let spy: TestBroker;
let proxy: BlockingProxy;
let pool: Pool;
let broker: Broker;
let consumers: Consumers;
let relay: PostgresRelay;
let handled: string[] = [];
/** Users whose event fails at its first try. */
const failing = new Set<string>();

const disabled = (userId: string = randomUUID()): Envelope =>
  newEvent('AccountDisabled', { id: userId, version: 1 }, { userId, disabled: true });
const add = (...events: Envelope[]) => inTransaction(pool, (tx) => addToOutbox(tx, ...events));
const timesHeard = ({ id }: Envelope) => spy.heard.filter((event) => event.id === id).length;
/** By then a relay that does not know better has published again, more than once. */
const severalTimeouts = () => {
  const end = Date.now() + 5 * confirmTimeoutMs;
  return waitFor('several time-outs to have passed', () => Date.now() > end);
};

beforeAll(async () => {
  [database, spy] = await Promise.all([
    createPostgresDatabase(
      postgresMigrations(new URL('effects-migration', import.meta.url).pathname),
    ),
    createTestBroker(),
  ]);
  proxy = await startBlockingProxy(spy.url);
  pool = createPool(database.url, logger);
});

const start = async () => {
  handled = [];
  broker = new Broker({ url: proxy.url, logger, topology, service: 'catalog', confirmTimeoutMs });
  consumers = new Consumers(broker, logger, [
    subscribe(queue, async ({ data: { userId } }) => {
      if (failing.delete(userId)) throw new Error('not yet');
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

describe('while the broker takes nothing', () => {
  it('sends no batch twice, and all of it afterwards', async () => {
    const [first, second] = [disabled(), disabled()];
    proxy.block();
    await add(first);
    await severalTimeouts();
    const held = proxy.heldBytes;
    await add(second);
    await severalTimeouts();

    expect(proxy.heldBytes).toBe(held);
    proxy.unblock();

    await waitFor('both', () => timesHeard(first) > 0 && timesHeard(second) > 0);
    await add(disabled());
    await waitFor('what came after', () => handled.length === 3);
    expect([timesHeard(first), timesHeard(second)]).toEqual([1, 1]);
  });

  it('does not give up what was on its way when it blocked', async () => {
    const event = disabled();
    proxy.block();
    const published = broker.publishEvent(event);
    await waitFor('the news', () => broker.isBlocked);
    await severalTimeouts();
    proxy.unblock();

    await expect(published).resolves.toBeUndefined();
    expect(timesHeard(event)).toBe(1);
  });

  it('goes on consuming', async () => {
    proxy.block();
    for (let i = 0; i < 30; i++) await spy.send(disabled());
    await waitFor('all of them', () => handled.length === 30);
    await stop();
    proxy.unblock();

    // They were acknowledged: none comes again.
    await start();
    const last = disabled();
    await spy.send(last);
    await waitFor('the last one', () => handled.length > 0);
    expect(handled).toEqual([last.aggregateId]);
  });

  it('keeps what failed, and tries it again once afterwards', async () => {
    const event = disabled();
    failing.add(event.aggregateId);
    proxy.block();
    await waitFor('the news', () => broker.isBlocked);

    await spy.send(event);
    await waitFor('the failure', () => !failing.has(event.aggregateId));
    await severalTimeouts();
    expect(handled).toEqual([]);
    proxy.unblock();

    await waitFor('the next try', () => handled.length > 0);
    await spy.send(disabled());
    await waitFor('what came after', () => handled.length > 1);
    expect(handled.filter((userId) => userId === event.aggregateId)).toHaveLength(1);
  });

  it('can be stopped', async () => {
    const event = disabled();
    failing.add(event.aggregateId);
    proxy.block();
    await add(disabled());
    await waitFor('the news', () => broker.isBlocked);
    await spy.send(event);
    await waitFor('the failure', () => !failing.has(event.aggregateId));

    await stop();

    expect(broker.isConnected).toBe(false);
  });
});
