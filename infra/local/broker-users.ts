import { type ServiceName, serviceNames } from '@lendtools/contracts';
import { setUpBroker } from '@lendtools/event-bus';
import type { ServerContext } from './home.ts';
import type { RabbitMq } from './rabbitmq.ts';

export interface BrokerAccess {
  urls: Record<ServiceName, string>;
  /** `own` if each service has its own broker user, which may declare only the service's own queues. */
  declares: 'all' | 'own';
}

export function describeBrokerAccess(context: ServerContext, rabbitmq: RabbitMq): BrokerAccess {
  const { amqpUrl } = rabbitmq;
  if (managementOf(rabbitmq) === null)
    return { urls: forEachService(() => amqpUrl), declares: 'all' };
  const passwords = passwordsOf(context);
  const withUser = (service: ServiceName): string => {
    const url = new URL(amqpUrl);
    url.username = service;
    url.password = passwords[service];
    return url.toString();
  };
  return { urls: forEachService(withUser), declares: 'own' };
}

/** Gives each service a broker user that has only the rights the service needs. Idempotent. */
export async function createBrokerUsers(context: ServerContext, rabbitmq: RabbitMq): Promise<void> {
  const managementUrl = managementOf(rabbitmq);
  if (managementUrl === null) return;
  const { amqpUrl } = rabbitmq;
  await setUpBroker({ amqpUrl, managementUrl, passwords: passwordsOf(context) });
}

/** Returns null for a broker from AMQP_URL, because the users of that broker must not be changed. */
function managementOf({ isGiven, managementUrl }: RabbitMq): string | null {
  return isGiven ? null : managementUrl;
}

function passwordsOf({ secrets }: ServerContext): Record<ServiceName, string> {
  return forEachService((service) => secrets.get(`${service}BrokerPassword`));
}

function forEachService<T>(read: (service: ServiceName) => T): Record<ServiceName, T> {
  return Object.fromEntries(serviceNames.map((service) => [service, read(service)])) as Record<
    ServiceName,
    T
  >;
}
