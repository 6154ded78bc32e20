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

/** Regular expressions that RabbitMQ matches against names of exchanges and queues. */
interface Permissions {
  configure: string;
  write: string;
  read: string;
}

const nothing = '^$';
const exactly = (names: string[]): string =>
  `^(${names.map((name) => name.replaceAll('.', '\\.')).join('|')})$`;

/**
 * A service's user has rights to resources with the service's name. It consumes from `events` and publishes to its
 * own exchange, which only an administrator can bind. With write access to `events` or to the default exchange, it
 * could dead-letter any event there from a queue of its own, bypassing the topic permissions.
 */
const permissionsOf = (service: ServiceName): Permissions => ({
  configure: `^${service}\\.`,
  write: `^(${service}\\.|events\\.${service}$)`,
  read: `^(${service}\\.|events$)`,
});

/** The events that it may publish, and those it may bind a queue to: only notifications consumes emailed tokens. */
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

/** Sets the limit on dead-letter queues that were declared without one: see ADR 7. */
const deadLetterPolicy = {
  name: 'dead-letters',
  pattern: `${deadQueue('').replace('.', '\\.')}$`,
  'apply-to': 'queues',
  priority: 0,
  definition: { 'delivery-limit': deadLetterLimit },
};

/** The definitions to import into RabbitMQ: users, permissions and the policy. */
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
