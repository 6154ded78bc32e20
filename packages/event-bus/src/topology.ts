import { type EventType, type QueueName, routingKey, subscriptions } from '@lendtools/contracts';
import type { Channel } from 'amqplib';

export const eventsExchange = 'events';

/**
 * How long a failed message waits before its next try. The last but one repeats until the attempts are used up, the
 * last for what waits on after that.
 */
export const defaultRetryDelaysMs = [200, 1_000, 5_000, 30_000, 300_000];

export interface Topology {
  queues: QueueName[];
  retryDelaysMs: number[];
}

export const wholeTopology: Topology = {
  queues: Object.keys(subscriptions) as QueueName[],
  retryDelaysMs: defaultRetryDelaysMs,
};

export const deadQueue = (queue: string): string => `${queue}.dead`;
export const retryExchange = (delayMs: number): string => `retry.${delayMs}ms`;

// With the default at-most-once strategy, poison messages were lost in two of three kills of the broker;
// at-least-once needs reject-publish.
const lossless = {
  'x-queue-type': 'quorum',
  'x-dead-letter-strategy': 'at-least-once',
  'x-overflow': 'reject-publish',
};

/** A message that kills its consumer again and again never reaches our own count: the broker's is the backstop. */
const deliveryLimit = 20;

/** Declares every exchange, queue and binding; declaring what is there already changes nothing. */
export const declareTopology = async (channel: Channel, topology: Topology): Promise<void> => {
  await channel.assertExchange(eventsExchange, 'topic', { durable: true });
  for (const delayMs of topology.retryDelaysMs) {
    const name = retryExchange(delayMs);
    await channel.assertExchange(name, 'fanout', { durable: true });
    // Expired messages go to the default exchange under their own routing key: the queue that they came from.
    await channel.assertQueue(name, {
      durable: true,
      arguments: { ...lossless, 'x-message-ttl': delayMs, 'x-dead-letter-exchange': '' },
    });
    await channel.bindQueue(name, name, '');
  }
  for (const queue of topology.queues) {
    await channel.assertQueue(deadQueue(queue), {
      durable: true,
      arguments: { 'x-queue-type': 'quorum' },
    });
    await channel.assertQueue(queue, {
      durable: true,
      arguments: {
        ...lossless,
        'x-delivery-limit': deliveryLimit,
        'x-dead-letter-exchange': '',
        'x-dead-letter-routing-key': deadQueue(queue),
      },
    });
    for (const type of subscriptions[queue]) {
      await channel.bindQueue(queue, eventsExchange, routingKey(type));
    }
  }
};

/** Whether a declared queue takes the event: then it must be routed, else it may go nowhere. */
export const hasSubscriber = (topology: Topology, type: EventType): boolean =>
  topology.queues.some((queue) => (subscriptions[queue] as readonly EventType[]).includes(type));
