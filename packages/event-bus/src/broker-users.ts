import {
  type EventType,
  liveEvents,
  type QueueName,
  revocationEvents,
  routingKey,
  type ServiceName,
  subscriptions,
} from '@lendtools/contracts';
import {
  deadLetterLimit,
  deadQueue,
  eventsExchange,
  publishingExchange,
  serviceOf,
} from './topology.ts';

/** Regular expressions over the names of exchanges and queues, as RabbitMQ takes them. */
interface Permissions {
  configure: string;
  write: string;
  read: string;
}

const nothing = '^$';
const exactly = (names: string[]): string =>
  `^(${names.map((name) => name.replaceAll('.', '\\.')).join('|')})$`;

/**
 * A service's user has rights to what carries the service's name. It consumes from `events` and publishes to an
 * exchange of its own, which only an administrator can bind: with a right to write to `events`, or to the default
 * exchange, it could have any event dead-lettered there from a queue of its own, past the permissions for topics.
 */
const permissionsOf = (service: ServiceName): Permissions => ({
  configure: `^${service}\\.`,
  write: `^(${service}\\.|events\\.${service}$)`,
  read: `^(${service}\\.|events$)`,
});

/** What it may publish, and to what it may bind a queue: only notifications consumes mailed tokens. */
const topicPermissionsOf = (
  service: ServiceName,
): { exchange: string; write: string; read: string }[] => [
  { exchange: eventsExchange, write: nothing, read: exactly(consumedBy(service).map(routingKey)) },
  { exchange: publishingExchange(service), write: `^${service}\\.[A-Za-z]+$`, read: nothing },
];

const consumedBy = (service: ServiceName): EventType[] => {
  const own = (Object.keys(subscriptions) as QueueName[]).filter(
    (queue) => serviceOf(queue) === service,
  );
  const types = own.flatMap((queue): readonly EventType[] => subscriptions[queue]);
  const live = service === 'notifications' ? liveEvents : [];
  return [...new Set([...types, ...revocationEvents, ...live])];
};

/** Holds for dead queues that were declared before they had a limit of their own: see ADR 7. */
const deadLetterPolicy = {
  name: 'dead-letters',
  pattern: `${deadQueue('').replace('.', '\\.')}$`,
  'apply-to': 'queues',
  priority: 0,
  definition: { 'delivery-limit': deadLetterLimit },
};

/** What the broker's management takes as its definitions: the users and their rights, and the policy. */
export const definitionsOf = (passwords: Record<ServiceName, string>, vhost: string) => {
  const services = Object.keys(passwords) as ServiceName[];
  return {
    users: services.map((name) => ({ name, password: passwords[name], tags: '' })),
    permissions: services.map((user) => ({ user, vhost, ...permissionsOf(user) })),
    topic_permissions: services.flatMap((user) =>
      topicPermissionsOf(user).map((each) => ({ user, vhost, ...each })),
    ),
    policies: [{ vhost, ...deadLetterPolicy }],
  };
};
