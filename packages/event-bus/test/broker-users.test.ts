import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Event, EventData, ServiceName } from '@lendtools/contracts';
import { createLogger } from '@lendtools/service-kit';
import {
  bookingCreated,
  createTestBroker,
  brokerPasswords as passwords,
  type TestBroker,
  testServers,
  waitFor,
} from '@lendtools/testing';
import { type ChannelModel, type ConfirmChannel, connect } from 'amqplib';
import { Broker } from '../src/broker.ts';
import { type Consumer, Consumers, NotKnownYetError, subscribe } from '../src/consumer.ts';
import { newEvent } from '../src/new-event.ts';
import { consumeOnEveryReplica } from '../src/replica-queue.ts';
import { setUpBroker } from '../src/set-up-broker.ts';
import { wholeTopology } from '../src/topology.ts';

const topology = { ...wholeTopology, retryDelaysMs: [20] };
const logger = createLogger('test', 'silent');
const paymentQueue = 'bookings.confirm-bookings-when-payment-succeeded';

let spy: TestBroker;
let bookings: ChannelModel;
const running: { stop(): Promise<void> }[] = [];

const urlOf = (service: ServiceName): string => {
  const url = new URL(spy.url);
  url.username = service;
  url.password = passwords[service];
  return url.toString();
};

beforeAll(async () => {
  spy = await createTestBroker();
  const { amqpManagementUrl } = testServers();
  const setUp = { amqpUrl: spy.url, managementUrl: amqpManagementUrl, passwords, topology };
  await setUpBroker(setUp);
  // The second call shows that setting up again, as before an upgrade, is safe.
  await setUpBroker(setUp);
  bookings = await connect(urlOf('bookings'));
  bookings.on('error', () => {});
});

afterAll(async () => {
  for (const each of running) await each.stop();
  await bookings.close();
  await spy.drop();
});

/** Uses the same options as `npm start` and the compose file. */
const startAs = async (service: ServiceName, consumers: Consumer[] = []): Promise<Broker> => {
  const broker = new Broker({ url: urlOf(service), logger, service, topology, declares: 'own' });
  const consuming = new Consumers(broker, logger, consumers);
  consumeOnEveryReplica(broker, logger, { types: ['SessionEnded'], handle: () => {} });
  broker.start();
  await broker.whenConnected();
  running.push({
    async stop() {
      await consuming.stop();
      await broker.stop();
    },
  });
  return broker;
};

/** Returns the error with which the broker closes the channel if it rejects the command. */
const rejection = async (work: (channel: ConfirmChannel) => unknown): Promise<unknown> => {
  const channel = await bookings.createConfirmChannel();
  const rejected = new Promise((resolve) => channel.once('error', resolve));
  const worked = (async () => {
    await work(channel);
    await channel.waitForConfirms();
    return 'allowed';
  })();
  return Promise.race([rejected, worked.catch(() => rejected)]);
};
const rejected = { code: 403 };

const succeeded = (): EventData<'PaymentSucceeded'> => ({
  paymentId: randomUUID(),
  userId: randomUUID(),
  holdId: null,
  amountCents: 100,
  currency: 'usd',
  paymentIntentId: 'pi_1',
  succeededAt: new Date().toISOString(),
});
const forged = (): Buffer =>
  Buffer.from(
    JSON.stringify(newEvent('PaymentSucceeded', { id: 'forged', version: 1 }, succeeded())),
  );

describe('the broker user of the bookings service', () => {
  it.each([
    ['its own exchange', 'events.bookings', 'payments.PaymentSucceeded'],
    ["payments' exchange", 'events.payments', 'payments.PaymentSucceeded'],
    ['the shared exchange', 'events', 'payments.PaymentSucceeded'],
    ['the shared exchange, under its own name', 'events', 'bookings.BookingCreated'],
    ['the default exchange', '', paymentQueue],
    ["payments' queues", 'payments.queues', 'payments.refund-when-booking-rejected'],
    ["payments' retries", 'payments.retry.20ms', 'payments.refund-when-booking-rejected'],
  ])('cannot publish for another service through %s', async (_where, exchange, key) => {
    const outcome = await rejection((channel) => channel.publish(exchange, key, forged()));

    expect(outcome).toMatchObject(rejected);
  });

  it.each<[string, (channel: ConfirmChannel) => unknown]>([
    ["read another's queue", (c) => c.consume('payments.refund-when-booking-rejected', () => {})],
    ["read another's dead letters", (c) => c.get('payments.refund-when-booking-rejected.dead')],
    ["empty another's queue", (c) => c.purgeQueue('payments.refund-when-booking-rejected')],
    ["delete another's queue", (c) => c.deleteQueue('payments.refund-when-booking-rejected')],
    [
      'receive emailed tokens',
      (c) => c.bindQueue(paymentQueue, 'events', 'accounts.PasswordResetRequested'),
    ],
    ['receive all events', (c) => c.bindQueue(paymentQueue, 'events', '#')],
    ['receive events through an exchange', (c) => c.bindExchange('bookings.queues', 'events', '#')],
    [
      'forward arbitrary events to the shared exchange',
      (c) => c.bindExchange('events', 'events.bookings', '#'),
    ],
    ['declare an exchange without its name', (c) => c.assertExchange('everything', 'fanout')],
    ['delete the shared exchange', (c) => c.deleteExchange('events')],
    [
      'dead-letter an event into the shared exchange',
      (c) =>
        c.assertQueue('bookings.smuggler', {
          arguments: {
            'x-dead-letter-exchange': 'events',
            'x-dead-letter-routing-key': 'payments.PaymentSucceeded',
          },
        }),
    ],
    [
      'dead-letter an event into any queue',
      (c) =>
        c.assertQueue('bookings.smuggler', {
          arguments: { 'x-dead-letter-exchange': '', 'x-dead-letter-routing-key': paymentQueue },
        }),
    ],
  ])('cannot access what is not its own: %s', async (_what, work) => {
    expect(await rejection(work)).toMatchObject(rejected);
  });

  it('cannot publish another service’s event by dead-lettering it to the exchange of the bookings service', async () => {
    const channel = await bookings.createConfirmChannel();
    const queue = 'bookings.smuggler';
    await channel.assertQueue(queue, {
      arguments: {
        'x-message-ttl': 1,
        'x-dead-letter-exchange': 'events.bookings',
        'x-dead-letter-routing-key': 'payments.PaymentSucceeded',
      },
    });
    await channel.bindQueue(queue, 'bookings.queues', queue);
    channel.publish('bookings.queues', queue, forged());
    await channel.waitForConfirms();
    await waitFor(
      'it to have died',
      async () => (await channel.checkQueue(queue)).messageCount === 0,
    );

    const broker = await startAs('bookings');
    await broker.publishEvent(
      newEvent('BookingCreated', { id: 'honest', version: 1 }, bookingCreated()),
    );

    await waitFor('the honest one', () =>
      spy.received.some(({ aggregateId }) => aggregateId === 'honest'),
    );
    expect(spy.received.map(({ aggregateId }) => aggregateId)).not.toContain('forged');
    await channel.close();
  });
});

describe('services with broker users of their own', () => {
  it('can exchange, retry and dead-letter events', async () => {
    const handled: Event[] = [];
    const payments = await startAs('payments');
    await startAs('bookings', [
      subscribe(paymentQueue, async (event) => {
        if (event.data.amountCents === 13) throw new Error('never');
        if (!handled.includes(event) && event.data.amountCents === 7 && tries++ < 2)
          throw new NotKnownYetError('not yet');
        handled.push(event);
      }),
    ]);
    let tries = 0;
    const publish = (amountCents: number) =>
      payments.publishEvent(
        newEvent(
          'PaymentSucceeded',
          { id: randomUUID(), version: 1 },
          { ...succeeded(), amountCents },
        ),
      );

    await publish(13);
    await publish(7);
    await publish(100);

    await waitFor('two of them', () => handled.length === 2);
    await waitFor('the dead one', async () => (await spy.countDead(paymentQueue)) === 1);
    expect(tries).toBe(3);
  });
});
