import { type ServiceName, serviceNames } from '@lendtools/contracts';
import { setUpBroker } from '@lendtools/event-bus';
import type { ServerContext } from './home.ts';
import type { Servers } from './servers.ts';

export interface BrokerAccess {
  urls: Record<ServiceName, string>;
  /** What each service declares: only its own queues if it has its own user. */
  declares: 'all' | 'own';
}

/** Creates all queues and a user per service with the rights it needs. Idempotent. */
export async function createBrokerUsers(
  { secrets }: ServerContext,
  { rabbitmq: { amqpUrl, managementUrl, isGiven } }: Servers,
): Promise<BrokerAccess> {
  const urls = (urlOf: (service: ServiceName) => string) =>
    Object.fromEntries(serviceNames.map((service) => [service, urlOf(service)])) as Record<
      ServiceName,
      string
    >;
  // Don't change users or rights of a given broker.
  if (isGiven || managementUrl === null) return { urls: urls(() => amqpUrl), declares: 'all' };

  const passwords = urls((service) => secrets.get(`${service}BrokerPassword`));
  await setUpBroker({ amqpUrl, managementUrl, passwords });
  const withUser = (service: ServiceName): string => {
    const url = new URL(amqpUrl);
    url.username = service;
    url.password = passwords[service];
    return url.toString();
  };
  return { urls: urls(withUser), declares: 'own' };
}
