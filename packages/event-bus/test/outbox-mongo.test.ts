import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { Envelope, QueueName } from '@lendtools/contracts';
import { createLogger } from '@lendtools/service-kit';
import {
  createMongoDatabase,
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

const queue = 'catalog.hide-tools-when-owner-disabled';
const logger = createLogger('test', 'silent');

let spy: TestBroker;
let database: TestDatabase;
let connection: mongoose.Connection;
let broker: Broker;
const received: string[] = [];
let consumers: Consumers;

beforeAll(async () => {
  [database, spy] = await Promise.all([createMongoDatabase(), createTestBroker()]);
  connection = await mongoose.createConnection(database.url, { monitorCommands: true }).asPromise();
  const topology = { queues: [queue] as QueueName[], retryDelaysMs: [20] };
  broker = new Broker({ url: spy.url, logger, topology, service: 'catalog' });
  const record = async ({ id }: { id: string }) => void received.push(id);
  consumers = new Consumers(broker, logger, [subscribe(queue, record)]);
  broker.start();
  await broker.whenConnected();
});

afterAll(async () => {
  await consumers.stop();
  await broker.stop();
  await connection.close();
  await Promise.all([spy.drop(), database.drop()]);
});

afterEach(() => void jest.restoreAllMocks());

const newDocument = () => {
  const about = { id: randomUUID(), version: 1 };
  const data = { userId: randomUUID(), disabled: true };
  return { _id: randomUUID(), pending: [newEvent('AccountDisabled', about, data)] };
};

describe('the outbox in MongoDB', () => {
  it('marks published events in batches, and writes the last marks before it stops', async () => {
    const documents = Array.from({ length: 30 }, newDocument);
    const collection = connection.collection<{ _id: string; pending: Envelope[] }>('messages');
    await collection.insertMany(documents);
    const relay = new MongoRelay({ connection, collections: ['messages'], broker, logger });
    const commands: string[] = [];
    connection.getClient().on('commandStarted', ({ commandName }) => commands.push(commandName));

    const startedMs = performance.now();
    for (const document of documents) await relay.publish('messages', document);
    await relay.stop();
    const tookMs = performance.now() - startedMs;
    await waitFor('the last event', () => received.length >= documents.length);

    const waiting = await collection.countDocuments({ 'pending.id': { $exists: true } });
    const writes = commands.filter((name) => name === 'update').length;
    expect(waiting).toBe(0);
    // One write per 50 ms, and a last one on shutdown.
    expect(writes).toBeLessThanOrEqual(Math.ceil(tookMs / 50) + 1);
    expect(new Set(received)).toEqual(new Set(documents.map(({ pending: [each] }) => each?.id)));
    expect(received).toHaveLength(30);
  });

  it('leaves an unconfirmed event to the replica that is publishing it, however long that takes', async () => {
    const document = newDocument();
    const [event] = document.pending;
    const isOld = { ...event, occurredAt: new Date(Date.now() - 60_000).toISOString() } as Envelope;
    const collection = connection.collection<{ _id: string; pending: Envelope[] }>('replies');
    await collection.insertOne({ ...document, pending: [isOld] });
    let confirm = () => {};
    const confirmed = new Promise<void>((resolve) => {
      confirm = resolve;
    });
    const publish = jest.spyOn(broker, 'publishEvent').mockReturnValue(confirmed);
    const relay = new MongoRelay({ connection, collections: ['replies'], broker, logger });
    const swept = new Promise<void>((resolve) => {
      connection.getClient().on('commandSucceeded', ({ commandName, reply }) => {
        const { ns } = (reply as { cursor?: { ns?: string } }).cursor ?? {};
        if (commandName === 'find' && ns?.endsWith('.replies')) resolve();
      });
    });

    const publishing = relay.publish('replies', { ...document, pending: [isOld] });
    relay.start();
    await swept;
    confirm();
    await publishing;
    await relay.stop();

    expect(publish.mock.calls).toEqual([[isOld]]);
    expect(await collection.countDocuments({ 'pending.id': { $exists: true } })).toBe(0);
  });
});
