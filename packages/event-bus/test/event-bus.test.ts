import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Envelope, Event } from '@lendtools/contracts';
import { createLogger, createPool, inTransaction, type Pool } from '@lendtools/service-kit';
import {
  accountRegistered,
  createPostgresDatabase,
  createTestBroker,
  setReadOnly,
  type TestBroker,
  type TestDatabase,
  waitFor,
} from '@lendtools/testing';
import { Broker } from '../src/broker.ts';
import { Consumers, NotKnownYetError, subscribe, subscribeOnce } from '../src/consumer.ts';
import { replayDeadLetters, showDeadLetters } from '../src/dead-letters.ts';
import { newEvent } from '../src/new-event.ts';
import { onConnection } from '../src/on-connection.ts';
import { addToOutbox, PostgresRelay } from '../src/outbox-postgres.ts';
import type { Topology } from '../src/topology.ts';
import { busMigrations } from './bus-migrations.ts';

const queue = 'catalog.hide-tools-when-owner-disabled';
const topology: Topology = {
  queues: [queue],
  retryDelaysMs: [20],
  hold: { firstMs: 5, longestMs: 20, forMs: 100 },
};
const logger = createLogger('test', 'silent');
const here = fileURLToPath(new URL('./', import.meta.url));

let database: TestDatabase;
let spy: TestBroker;
let pool: Pool;
let broker: Broker;
let consumers: Consumers;
let relay: PostgresRelay;
const handled: string[] = [];
const behaviors = new Map<string, () => void>();

const disabled = (userId: string, version = 1): Envelope =>
  newEvent('AccountDisabled', { id: userId, version }, { userId, disabled: true });

const effectsOn = async (userId: string): Promise<number> => {
  const { rows } = await pool.query('SELECT count(*) AS n FROM effects WHERE user_id = $1', [
    userId,
  ]);
  return rows[0].n;
};

beforeAll(async () => {
  [database, spy] = await Promise.all([
    createPostgresDatabase(busMigrations(`${here}effects-migration`)),
    createTestBroker(),
  ]);
  pool = createPool(database.url, logger);
  broker = new Broker({ url: spy.url, logger, topology, service: 'catalog' });
  const effects = [
    subscribeOnce(queue, pool, async (event, tx) => {
      await tx.query('INSERT INTO effects (user_id) VALUES ($1)', [event.data.userId]);
      behaviors.get(event.data.userId)?.();
    }),
  ];
  const noting = effects.map((consumer) => ({
    ...consumer,
    async handle(event: Event) {
      await consumer.handle(event);
      handled.push(event.id);
    },
  }));
  consumers = new Consumers(broker, logger, noting);
  relay = new PostgresRelay(database.url, broker, logger);
  broker.start();
  relay.start();
  await broker.whenConnected();
});

afterAll(async () => {
  await consumers.stop();
  await relay.stop();
  await broker.stop();
  await pool.end();
  await spy.drop();
  await database.drop();
});

describe('the outbox', () => {
  it('publishes the events of a committed transaction, and the consumer handles them', async () => {
    const userId = randomUUID();

    await inTransaction(pool, (tx) => addToOutbox(tx, disabled(userId)));

    await waitFor('the effect', async () => (await effectsOn(userId)) === 1);
    // Wait again, because the consumer may finish before the relay has marked the event as published.
    await waitFor('the note', async () => {
      const { rowCount } = await pool.query(
        'SELECT FROM outbox_messages WHERE aggregate_id = $1 AND published_at IS NOT NULL',
        [userId],
      );
      return rowCount;
    });
  });

  it('publishes nothing after a rollback', async () => {
    const [lost, kept] = [randomUUID(), randomUUID()];

    await inTransaction(pool, async (tx) => {
      await addToOutbox(tx, disabled(lost));
      throw new Error('changed my mind');
    }).catch(() => {});
    await inTransaction(pool, (tx) => addToOutbox(tx, disabled(kept)));

    await spy.expectEvent('AccountDisabled', ({ userId }) => userId === kept);
    expect(spy.received.some((event) => event.aggregateId === lost)).toBe(false);
  });

  it('publishes an event whose transaction commits after that of a newer event', async () => {
    const [late, early] = [randomUUID(), randomUUID()];

    await inTransaction(pool, async (slow) => {
      await addToOutbox(slow, disabled(late));
      await inTransaction(pool, (tx) => addToOutbox(tx, disabled(early)));
      await waitFor('the one behind it', async () => (await effectsOn(early)) === 1);
    });

    await waitFor('the late one', async () => (await effectsOn(late)) === 1);
  });

  it('publishes the events of an aggregate in order', async () => {
    const userId = randomUUID();
    const events = Array.from({ length: 250 }, (_, version) => disabled(userId, version));

    await inTransaction(pool, (tx) => addToOutbox(tx, ...events));

    const received = await waitFor('all of them', () => {
      const own = spy.received.filter((event) => event.aggregateId === userId);
      return own.length === 250 && own;
    });
    expect(received.map((event) => event.version)).toEqual(events.map((event) => event.version));
  });

  it('stores an emailed token only until its event is published', async () => {
    const userId = randomUUID();
    const event = newEvent(
      'PasswordResetRequested',
      { id: userId, version: 1 },
      { userId, email: 'ann@lendtools.test', firstName: 'Ann', token: 'canary' },
    );

    await inTransaction(pool, (tx) => addToOutbox(tx, event));

    const received = await spy.expectEvent(
      'PasswordResetRequested',
      (data) => data.userId === userId,
    );
    expect(received.data.token).toBe('canary');
    await waitFor('the token to go', async () => {
      const { rows } = await pool.query('SELECT envelope FROM outbox_messages WHERE id = $1', [
        event.id,
      ]);
      return !JSON.stringify(rows).includes('canary');
    });
  });
});

describe('the outbox, while the broker lacks a queue, as after an upgrade', () => {
  it('waits until the new queue exists, so that this queue misses no event', async () => {
    const own = await createTestBroker();
    const [old, added] = ['bookings.sync-people', 'notifications.sync-admins'] as const;
    await own.declare({ ...topology, queues: [old] });
    const upgraded = new Broker({
      url: own.url,
      logger,
      service: 'accounts',
      topology: { ...topology, queues: [old, added] },
    });
    const event = newEvent('AccountRegistered', { id: 'ann', version: 1 }, accountRegistered());

    upgraded.start();
    await upgraded.whenAbleToPublish();
    await upgraded.publishEvent(event);

    const got = await onConnection(own.url, async (connection) => {
      const channel = await connection.createChannel();
      // Ignore this error: reading from a missing queue closes the channel.
      channel.on('error', () => {});
      return channel.get(added, { noAck: true }).catch(() => false as const);
    });
    await upgraded.stop();
    await own.drop();
    expect(got && JSON.parse(got.content.toString())).toEqual(event);
  });
});

describe('the outbox of a database that becomes read-only', () => {
  it('publishes its events only once, and marks them as published when the database is writable again', async () => {
    const own = await createPostgresDatabase(busMigrations(`${here}effects-migration`));
    const ownPool = createPool(own.url, logger);
    const event = disabled(randomUUID());
    let failures = 0;
    const counting = Object.assign(createLogger('test', 'silent'), { warn: () => failures++ });
    const ownRelay = new PostgresRelay(own.url, broker, counting as never);
    await inTransaction(ownPool, (tx) => addToOutbox(tx, event));
    await setReadOnly(own.url, true);

    ownRelay.start();
    await waitFor('a second failure', () => failures >= 2);
    await setReadOnly(own.url, false);

    await waitFor('the mark', async () => {
      const { rows } = await ownPool.query('SELECT published_at FROM outbox_messages');
      return rows[0].published_at;
    });
    expect(spy.received.filter(({ id }) => id === event.id)).toHaveLength(1);
    await ownRelay.stop();
    await ownPool.end();
    await own.drop();
  });
});

describe('a consumer', () => {
  it('handles an event only once if it arrives twice', async () => {
    const userId = randomUUID();
    const event = disabled(userId);

    await spy.send(event);
    await spy.send(event);

    await waitFor('both', () => handled.filter((id) => id === event.id).length === 2);
    expect(await effectsOn(userId)).toBe(1);
  });

  it('dead-letters an unreadable message and continues with the next ones', async () => {
    const userId = randomUUID();

    await spy.sendRaw(queue, 'not an event');
    await spy.send(disabled(userId));

    await waitFor('the good one', async () => (await effectsOn(userId)) === 1);
    await waitFor('the dead one', async () => (await spy.countDead(queue)) === 1);
    const [letter] = await showDeadLetters(spy.url, queue);
    expect(letter).toMatchObject({ event: 'not an event', error: expect.stringContaining('JSON') });
  });

  it('rolls back the changes of a failed attempt, and tries again', async () => {
    const userId = randomUUID();
    let failures = 2;
    behaviors.set(userId, () => {
      if (failures-- > 0) throw new Error('not yet');
    });

    await spy.send(disabled(userId));

    await waitFor('the effect', async () => (await effectsOn(userId)) === 1);
    expect(failures).toBe(-1);
  });

  it('gives up after ten tries, and handles the event after a replay', async () => {
    const userId = randomUUID();
    let tries = 0;
    const dead = await spy.countDead(queue);
    behaviors.set(userId, () => {
      tries++;
      throw new Error('never');
    });

    await spy.send(disabled(userId));
    await waitFor('the dead letter', async () => (await spy.countDead(queue)) > dead);
    expect(tries).toBe(10);
    behaviors.delete(userId);
    await replayDeadLetters(spy.url, queue);

    await waitFor('the effect', async () => (await effectsOn(userId)) === 1);
  });

  it('retries an event more than ten times while another event that it needs is missing', async () => {
    const userId = randomUUID();
    const dead = await spy.countDead(queue);
    let tries = 0;
    behaviors.set(userId, () => {
      if (++tries <= 12) throw new NotKnownYetError('The person is not known yet');
    });

    await spy.send(disabled(userId));

    await waitFor('the effect', async () => (await effectsOn(userId)) === 1);
    expect([tries, await spy.countDead(queue)]).toEqual([13, dead]);
  });

  it('dead-letters an event if another event that it needs has not arrived after three days', async () => {
    const userId = randomUUID();
    const dead = await spy.countDead(queue);
    let tries = 0;
    behaviors.set(userId, () => {
      tries++;
      throw new NotKnownYetError('The person is never known');
    });
    const occurredAt = new Date(Date.now() - 3 * 86_400_000).toISOString();

    await spy.send({ ...disabled(userId), occurredAt });

    await waitFor('the dead letter', async () => (await spy.countDead(queue)) > dead);
    expect(tries).toBe(10);
  });

  it.each([
    ['25006', 'a read-only database'],
    ['53100', 'a full disk'],
    ['58030', 'a failing disk'],
    ['57014', 'a statement timeout'],
    ['55P03', 'a lock timeout'],
    ['25P03', 'a transaction timeout'],
  ])('does not count an attempt that fails with the database error %s, %s', async (code) => {
    const userId = randomUUID();
    let tries = 0;
    behaviors.set(userId, () => {
      if (++tries <= 12) throw Object.assign(new Error('No write'), { code });
      if (tries <= 21) throw new Error('its own');
    });

    await spy.send(disabled(userId));

    await waitFor('the effect', async () => (await effectsOn(userId)) === 1);
    expect(tries).toBe(22);
  });

  it('delays unaffected events only briefly when an outage affects some events', async () => {
    const [userId, ...unlucky] = Array.from({ length: 21 }, () => randomUUID()) as [string];
    let isOver = false;
    for (const each of unlucky) {
      behaviors.set(each, () => {
        if (!isOver) throw Object.assign(new Error('No file'), { code: '58P01' });
      });
    }

    for (const each of unlucky) await spy.send(disabled(each));
    await spy.send(disabled(userId));
    await waitFor('the good one', async () => (await effectsOn(userId)) === 1);
    isOver = true;

    const effects = () => Promise.all(unlucky.map(effectsOn));
    await waitFor('all effects', async () => (await effects()).every((times) => times === 1));
  });

  it('returns unacknowledged events to the queue when it stops, without using up an attempt', async () => {
    const own = 'bookings.sync-people';
    const stopping = new Broker({
      url: spy.url,
      logger,
      service: 'catalog',
      topology: { ...topology, queues: [own] },
    });
    let tries = 0;
    const reject = async () => {
      tries++;
      throw Object.assign(new Error('read-only'), { code: '25006' });
    };
    const itsConsumers = new Consumers(stopping, logger, [subscribe(own, reject)]);
    stopping.start();
    await stopping.whenConnected();
    await spy.sendNew('AccountRegistered', accountRegistered());
    await waitFor('a try', () => tries > 0);

    await itsConsumers.stop();

    const message = await onConnection(spy.url, async (connection) => {
      const channel = await connection.createChannel();
      return waitFor('the event', () => channel.get(own, { noAck: true }));
    });
    expect(message.properties.headers).toMatchObject({ 'x-attempt': 0, 'x-waits': 1 });
    await stopping.stop();
  });

  it('receives the events that a dead process had not acknowledged', async () => {
    const userIds = Array.from({ length: 4 }, () => randomUUID());
    const dying = new Broker({ url: spy.url, logger, topology, service: 'catalog' });
    let taken = 0;
    const begin = () => new Promise<void>(() => void taken++);
    new Consumers(dying, logger, [subscribe(queue, begin)]);
    dying.start();
    await dying.whenConnected();
    for (const userId of userIds) await spy.send(disabled(userId));
    await waitFor('some to be under way there', () => taken > 0);

    await dying.stop();

    const effects = () => Promise.all(userIds.map(effectsOn));
    await waitFor('all effects', async () => (await effects()).every((times) => times === 1));
  });

  it('takes no more events once it stops, even if its connection comes back', async () => {
    const userIds = Array.from({ length: 8 }, () => randomUUID());
    const stopping = new Broker({ url: spy.url, logger, topology, service: 'catalog' });
    let taken = 0;
    const take = async () => void taken++;
    const itsConsumers = new Consumers(stopping, logger, [subscribe(queue, take)]);
    stopping.start();
    await stopping.whenConnected();
    await itsConsumers.stop();

    let isBack = false;
    stopping.onReady(() => {
      isBack = true;
    });
    const cut = async () => {
      await spy.cutConnections();
      return isBack;
    };
    await waitFor('its connection to come back', cut);
    for (const userId of userIds) await spy.send(disabled(userId));

    const effects = () => Promise.all(userIds.map(effectsOn));
    await waitFor('all effects', async () => (await effects()).every((times) => times === 1));
    expect(taken).toBe(0);
    await stopping.stop();
  });

  it('can be stopped while it is still connecting', async () => {
    const brief = new Broker({ url: spy.url, logger, topology, service: 'catalog' });
    brief.start();

    await brief.stop();

    expect(brief.isConnected).toBe(false);
  });

  it('reconnects to the broker when the connection is cut', async () => {
    const userId = randomUUID();
    await spy.cutConnections();

    await spy.send(disabled(userId));

    await waitFor('the effect', async () => (await effectsOn(userId)) === 1);
  });
});

describe('the outbox, while a queue is missing', () => {
  it('does not count an unroutable event as published', async () => {
    const other = 'bookings.sync-tools';
    const lone = new Broker({
      url: spy.url,
      logger,
      service: 'catalog',
      topology: { ...topology, queues: [other] },
    });
    lone.start();
    await lone.whenConnected();
    await spy.stopConsuming();
    await spy.deleteQueue(other);

    const publishing = lone.publishEvent({ ...disabled(randomUUID()), type: 'ToolRemoved' });

    await expect(publishing).rejects.toThrow('No queue took catalog.ToolRemoved');
    await lone.stop();
  });

  it("keeps events in the outbox while a subscriber's queue is missing, and delivers them once it is back", async () => {
    const userId = randomUUID();
    await spy.stopConsuming();
    await spy.deleteQueue(queue);

    await inTransaction(pool, (tx) => addToOutbox(tx, disabled(userId)));

    await waitFor('the effect', async () => (await effectsOn(userId)) === 1);
  });
});
