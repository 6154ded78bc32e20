import {
  type EventType,
  liveEvents,
  type QueueName,
  revocationEvents,
  routingKey,
  type ServiceName,
  subscriptions,
} from '@lendtools/contracts';
import { eventsExchange, publishingExchange, serviceOf } from './topology.ts';

/** Regular expressions for names of exchanges and queues. */
interface Permissions {
  configure: string;
  write: string;
  read: string;
}

const nothing = '^$';
const exactly = (names: string[]): string =>
  `^(${names.map((name) => name.replaceAll('.', '\\.')).join('|')})$`;

/**
 * A service may only use exchanges and queues with its own name, and consume from `events`. It publishes to its own exchange, which
 * only an administrator can bind. With write access to `events` or to the default exchange, it could dead-letter any event there
 * from a queue of its own, bypassing the topic permissions.
 */
const permissionsOf = (service: ServiceName): Permissions => ({
  configure: `^${service}\\.`,
  write: `^(${service}\\.|events\\.${service}$)`,
  read: `^(${service}\\.|events$)`,
});

/**
 * The events that a service may publish, and those to which it may bind a queue. Only the notifications service may consume
 * the events that contain tokens for emails.
 */
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

export const definitionsOf = (passwords: Record<ServiceName, string>, vhost: string) => {
  const services = Object.keys(passwords) as ServiceName[];
  return {
    users: services.map((name) => ({ name, password: passwords[name], tags: '' })),
    permissions: services.map((user) => ({ user, vhost, ...permissionsOf(user) })),
    topic_permissions: services.flatMap((user) =>
      topicPermissionsOf(user).map((each) => ({ user, vhost, ...each })),
    ),
  };
};
