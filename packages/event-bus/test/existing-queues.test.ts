import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLogger } from '@lendtools/service-kit';
import { createTestBroker, type TestBroker, waitFor } from '@lendtools/testing';
import { Broker } from '../src/broker.ts';
import { Consumers, subscribe } from '../src/consumer.ts';
import { replayDeadLetters, showDeadLetters } from '../src/dead-letters.ts';
import { newEvent } from '../src/new-event.ts';
import { onConnection } from '../src/on-connection.ts';

const queue = 'catalog.hide-tools-when-owner-disabled';
const topology = { queues: [queue as typeof queue], retryDelaysMs: [20] };
const logger = createLogger('test', 'silent');

let spy: TestBroker;
beforeAll(async () => {
  spy = await createTestBroker();
});
afterAll(() => spy.drop());

/** Declares queues with other arguments, which later declarations can't change. */
const declareOtherwise = async (): Promise<void> => {
  await onConnection(spy.url, async (connection) => {
    const channel = await connection.createChannel();
    await channel.assertQueue(`${queue}.dead`, { arguments: { 'x-queue-type': 'quorum' } });
    await channel.assertQueue(queue, {
      arguments: {
        'x-queue-type': 'quorum',
        'x-dead-letter-strategy': 'at-least-once',
        'x-overflow': 'reject-publish',
        'x-delivery-limit': 20,
        'x-dead-letter-exchange': '',
        'x-dead-letter-routing-key': `${queue}.dead`,
      },
    });
    await channel.bindQueue(queue, 'events', 'accounts.AccountDisabled');
  });
};

describe('queues that exist with other arguments', () => {
  it('still work: their events are handled, dead-lettered and replayed', async () => {
    const userId = randomUUID();
    await declareOtherwise();
    let isBroken = true;
    let handled = 0;
    const broker = new Broker({ url: spy.url, logger, topology, service: 'catalog' });
    const consumers = new Consumers(broker, logger, [
      subscribe(queue, async () => {
        if (isBroken) throw new Error('never');
        handled++;
      }),
    ]);
    broker.start();
    await waitFor('the connection', () => broker.isConnected);

    await broker.publishEvent(
      newEvent('AccountDisabled', { id: userId, version: 1 }, { userId, disabled: true }),
    );
    await waitFor('the dead letter', async () => (await spy.countDead(queue)) === 1);
    isBroken = false;
    const replayed = await replayDeadLetters(spy.url, queue);

    await waitFor('the replay', () => handled === 1);
    expect({ replayed, dead: await spy.countDead(queue) }).toEqual({ replayed: 1, dead: 0 });
    await consumers.stop();
    await broker.stop();
  });
});

describe('dead letters', () => {
  it('stay in order, however often they are shown', async () => {
    const other = 'catalog.sync-owners';
    await spy.declare({ ...topology, queues: [other] });
    for (const word of ['first', 'second', 'third'])
      await spy.sendRaw(`${other}.dead` as never, word);

    for (let look = 0; look < 25; look++) await showDeadLetters(spy.url, other);

    const letters = await showDeadLetters(spy.url, other);
    expect(letters.map(({ event }) => event)).toEqual(['first', 'second', 'third']);
  });
});
