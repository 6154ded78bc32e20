import { randomUUID } from 'node:crypto';
import { type Event, type EventType, parseEvent, routingKey } from '@lendtools/contracts';
import type { Logger } from '@lendtools/service-kit';
import type { Broker } from './broker.ts';
import { eventsExchange } from './topology.ts';

/**
 * Consumes events on a queue that is deleted when its connection ends. For events that every replica needs at once and that are
 * useless later, such as revocations and pushes to open sockets. `onConnected` runs after each (re)connect, to catch up on missed
 * events.
 */
export const consumeOnEveryReplica = <T extends EventType>(
  broker: Broker,
  logger: Logger,
  options: {
    types: readonly T[];
    handle: (event: Event<T>) => void;
    onConnected?: () => Promise<void>;
  },
): void => {
  broker.addSetup(async (connection) => {
    const channel = await connection.createChannel();
    channel.on('error', (error) => logger.warn({ err: error }, 'the replica channel broke'));
    channel.once('close', () => void connection.close().catch(() => {}));
    const { queue } = await channel.assertQueue(`${broker.service}.replica.${randomUUID()}`, {
      exclusive: true,
      autoDelete: true,
      durable: false,
    });
    for (const type of options.types)
      await channel.bindQueue(queue, eventsExchange, routingKey(type));
    await channel.consume(
      queue,
      (message) => {
        if (!message) return;
        try {
          options.handle(parseEvent(JSON.parse(message.content.toString())) as Event<T>);
        } catch (error) {
          logger.error({ err: error }, 'an event could not be consumed');
        }
      },
      { noAck: true },
    );
    await options.onConnected?.();
  });
};
