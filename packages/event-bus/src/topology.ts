import {
  type EventType,
  events,
  type QueueName,
  routingKey,
  type ServiceName,
  serviceNames,
  subscriptions,
} from '@lendtools/contracts';

/** Where everybody consumes from. What services publish comes here from exchanges of their own. */
export const eventsExchange = 'events';

/**
 * How long a failed message waits before its next try. The second to last repeats until the attempts are used up, the
 * last for what keeps waiting after that.
 */
export const defaultRetryDelaysMs = [200, 1_000, 5_000, 30_000, 300_000];

/** How an event is held through an outage: tried again after `firstMs`, then twice that, at most `longestMs`. */
export interface Hold {
  firstMs: number;
  longestMs: number;
  /** Then it makes room for the next one; after 30 minutes RabbitMQ takes back what was not acknowledged. */
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

/** Where a service publishes, and it alone. Only what carries the service's name goes on to `events`. */
export const publishingExchange = (service: ServiceName): string => `events.${service}`;
/** Leads to a service's own queues by their names; the broker's default exchange would lead to everybody's. */
export const queuesExchange = (service: ServiceName): string => `${service}.queues`;
export const retryExchange = (service: ServiceName, delayMs: number): string =>
  `${service}.retry.${delayMs}ms`;
export const deadQueue = (queue: string): string => `${queue}.dead`;

// With the default at-most-once strategy, poison messages were lost in two of three kills of the broker;
// at-least-once needs reject-publish.
const lossless = {
  'x-queue-type': 'quorum',
  'x-dead-letter-strategy': 'at-least-once',
  'x-overflow': 'reject-publish',
};

/** A message that kills its consumer again and again never reaches our own count: the broker's is the backstop. */
const deliveryLimit = 20;

/**
 * How often a dead letter may be looked at, since each look counts as a delivery. RabbitMQ 4 drops a message after 20
 * where nothing else is said, and no value means "no limit" to every version: -1 is 0 to RabbitMQ 3.
 */
export const deadLetterLimit = 1_000_000_000;

/** Exchanges, queues and bindings, as they are declared. */
export interface Declarations {
  exchanges: { name: string; type: 'topic' | 'direct' | 'fanout' }[];
  queues: { name: string; arguments: Record<string, string | number> }[];
  bindings: { source: string; to: 'queue' | 'exchange'; name: string; key: string }[];
}

/** What belongs to no service: where all publish and consume. */
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

/**
 * A service's queues, their dead letters and its retry ladder. Everything that is dead or waiting stays within the
 * service.
 */
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
      // What expires keeps its routing key, which is the queue that it came from.
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

/** Whether a declared queue takes the event: then it must be routed; otherwise it may go nowhere. */
export const hasSubscriber = (topology: Topology, type: EventType): boolean =>
  topology.queues.some((queue) => (subscriptions[queue] as readonly EventType[]).includes(type));
