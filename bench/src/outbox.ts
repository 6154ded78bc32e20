import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import {
  addToOutbox,
  Broker,
  Consumers,
  newEvent,
  PostgresRelay,
  subscribe,
} from '@lendtools/event-bus';
import { createLogger, createPool, inTransaction } from '@lendtools/service-kit';
import { postgresMigrations } from '@lendtools/service-runtime';
import { createPostgresDatabase, createTestBroker } from '@lendtools/testing';
import { connect } from 'amqplib';
import { inShort } from './effort.ts';
import { interleave, median, type Row } from './statistics.ts';

const events = inShort(300, 20);
const queue = 'catalog.hide-tools-when-owner-disabled';
const none = fileURLToPath(new URL('./no-migrations/', import.meta.url));

const timeEach = async (send: (arrived: () => void) => Promise<number>): Promise<number> => {
  const times: number[] = [];
  for (let i = 0; i < events; i++) {
    const arrival = Promise.withResolvers<number>();
    const sent = await send(() => arrival.resolve(performance.now()));
    times.push((await arrival.promise) - sent);
  }
  return median(times);
};

/** Publishes and consumes on a durable quorum queue without our code. */
const startBare = async (url: string) => {
  const connection = await connect(url, { noDelay: true });
  const channel = await connection.createConfirmChannel();
  await channel.assertQueue('bare', { durable: true, arguments: { 'x-queue-type': 'quorum' } });
  let arrived = (): void => {};
  await channel.consume('bare', (message) => {
    if (message) channel.ack(message);
    arrived();
  });
  return {
    send: async (callback: () => void): Promise<number> => {
      arrived = callback;
      const sent = performance.now();
      channel.sendToQueue('bare', Buffer.from('{}'), { persistent: true });
      await channel.waitForConfirms();
      return sent;
    },
    stop: () => connection.close(),
  };
};

/** Compares the time from an event's commit in the outbox to its consumption with that of a bare publish and consume. */
export const benchOutbox = async (): Promise<Row> => {
  const logger = createLogger('bench', 'silent');
  const [database, spy] = await Promise.all([
    createPostgresDatabase(postgresMigrations(none)),
    createTestBroker(),
  ]);
  const pool = createPool(database.url, logger);
  const broker = new Broker({
    url: spy.url,
    logger,
    service: 'catalog',
    topology: { queues: [queue], retryDelaysMs: [20] },
  });
  let arrived = (): void => {};
  const consumers = new Consumers(broker, logger, [subscribe(queue, async () => arrived())]);
  const relay = new PostgresRelay(database.url, broker, logger);
  broker.start();
  relay.start();
  await broker.whenConnected();
  const bare = await startBare(spy.url);
  const userId = randomUUID();

  const ms = await interleave({
    bare: () => timeEach(bare.send),
    outbox: () =>
      timeEach(async (callback) => {
        arrived = callback;
        const event = newEvent(
          'AccountDisabled',
          { id: userId, version: 1 },
          { userId, disabled: true },
        );
        await inTransaction(pool, (tx) => addToOutbox(tx, event));
        return performance.now();
      }),
  });

  await bare.stop();
  await consumers.stop();
  await relay.stop();
  await broker.stop();
  await pool.end();
  await Promise.all([spy.drop(), database.drop()]);
  return {
    name: 'An event, committed row to consumer : a bare publish and consume, median',
    measured: `${(ms.outbox / ms.bare).toFixed(1)} × (${ms.outbox.toFixed(2)} : ${ms.bare.toFixed(2)} ms)`,
    bound: '≤ 3 ×',
    kept: ms.outbox / ms.bare <= 3,
  };
};
