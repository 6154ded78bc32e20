import {
  type EventType,
  events,
  type QueueName,
  routingKey,
  type ServiceName,
  serviceNames,
  subscriptions,
} from '@lendtools/contracts';

/** Services publish to their own exchanges, which forward to this one. */
export const eventsExchange = 'events';

/**
 * The second to last delay repeats until the attempts are used up; the last delay is for messages that are retried even after that.
 */
export const defaultRetryDelaysMs = [200, 1_000, 5_000, 30_000, 300_000];

export interface Hold {
  firstMs: number;
  longestMs: number;
  /**
   * How long an event is retried during an outage before the next one gets its turn. Must be below 30 minutes, after which RabbitMQ
   * redelivers an unacknowledged message.
   */
  forMs: number;
}

export const defaultHold: Hold = { firstMs: 500, longestMs: 10_000, forMs: 60_000 };

export interface Topology {
  queues: QueueName[];
  retryDelaysMs: number[];
  hold?: Hold;
}

export const wholeTopology: Topology = {
  queues: Object.keys(subscriptions) as QueueName[],
  retryDelaysMs: defaultRetryDelaysMs,
};

export const serviceOf = (queue: QueueName): ServiceName => queue.split('.')[0] as ServiceName;
export const producerOf = (type: EventType): ServiceName => events[type].service;

/** The exchange to which only this service publishes. It forwards only events with the service's name. */
export const publishingExchange = (service: ServiceName): string => `events.${service}`;
/** Used instead of the broker's default exchange, which would reach every service's queues. */
export const queuesExchange = (service: ServiceName): string => `${service}.queues`;
export const retryExchange = (service: ServiceName, delayMs: number): string =>
  `${service}.retry.${delayMs}ms`;
export const deadQueue = (queue: string): string => `${queue}.dead`;

// With the default strategy, at-most-once, poison messages were lost in two of three kills of the broker. So use
// at-least-once, which requires reject-publish.
const lossless = {
  'x-queue-type': 'quorum',
  'x-dead-letter-strategy': 'at-least-once',
  'x-overflow': 'reject-publish',
};

/** The broker's limit is the backstop for messages that kill their consumer before our own count is updated. */
const deliveryLimit = 20;

/**
 * Each listing of the dead letters counts as a delivery. RabbitMQ 4 drops a message after 20 deliveries by default, and no value
 * means "no limit" in every version: RabbitMQ 3 treats -1 as 0.
 */
const deadLetterLimit = 1_000_000_000;

export interface Declarations {
  exchanges: { name: string; type: 'topic' | 'direct' | 'fanout' }[];
  queues: { name: string; arguments: Record<string, string | number> }[];
  bindings: { source: string; to: 'queue' | 'exchange'; name: string; key: string }[];
}

export const commonDeclarations = (): Declarations => ({
  exchanges: [
    { name: eventsExchange, type: 'topic' },
    ...serviceNames.map((service) => ({
      name: publishingExchange(service),
      type: 'topic' as const,
    })),
  ],
  queues: [],
  bindings: serviceNames.map((service) => ({
    source: publishingExchange(service),
    to: 'exchange',
    name: eventsExchange,
    key: `${service}.*`,
  })),
});

/** Returns the exchanges and queues of a service, including its dead-letter and retry queues. */
export const declarationsOf = (service: ServiceName, topology: Topology): Declarations => {
  const queues = topology.queues.filter((queue) => serviceOf(queue) === service);
  if (queues.length === 0) return { exchanges: [], queues: [], bindings: [] };
  const own = queuesExchange(service);
  const ladder = topology.retryDelaysMs.map((delayMs) => ({
    name: retryExchange(service, delayMs),
    delayMs,
  }));
  return {
    exchanges: [
      { name: own, type: 'direct' },
      ...ladder.map(({ name }) => ({ name, type: 'fanout' as const })),
    ],
    queues: [
      // An expired message returns to its original queue, because it keeps its routing key: the name of that queue.
      ...ladder.map(({ name, delayMs }) => ({
        name,
        arguments: { ...lossless, 'x-message-ttl': delayMs, 'x-dead-letter-exchange': own },
      })),
      ...queues.flatMap((queue) => [
        {
          name: deadQueue(queue),
          arguments: { 'x-queue-type': 'quorum', 'x-delivery-limit': deadLetterLimit },
        },
        {
          name: queue,
          arguments: {
            ...lossless,
            'x-delivery-limit': deliveryLimit,
            'x-dead-letter-exchange': own,
            'x-dead-letter-routing-key': deadQueue(queue),
          },
        },
      ]),
    ],
    bindings: [
      ...ladder.map(({ name }) => ({ source: name, to: 'queue' as const, name, key: '' })),
      ...queues.flatMap((queue) => [
        ...[queue, deadQueue(queue)].map((name) => toQueue(own, name, name)),
        ...subscriptions[queue].map((type) => toQueue(eventsExchange, queue, routingKey(type))),
      ]),
    ],
  };
};

const toQueue = (source: string, name: string, key: string) =>
  ({ source, to: 'queue', name, key }) as const;

/** True if a declared queue consumes the event. Such an event must reach its queue; others may be dropped. */
export const hasSubscriber = (topology: Topology, type: EventType): boolean =>
  topology.queues.some((queue) => (subscriptions[queue] as readonly EventType[]).includes(type));
