import { type ServiceName, serviceNames } from '@lendtools/contracts';
import { setUpBroker } from '@lendtools/event-bus';
import type { ServerContext } from './home.ts';
import type { Servers } from './servers.ts';

/** How the services reach the broker. */
export interface BrokerAccess {
  urls: Record<ServiceName, string>;
  /** What a service declares there: with a user of its own, its own queues alone. */
  declares: 'all' | 'own';
}

/** A user for each service, with the rights that it needs, and all queues. Safe to repeat. */
export async function createBrokerUsers(
  { secrets }: ServerContext,
  { rabbitmq: { amqpUrl, managementUrl, isGiven } }: Servers,
): Promise<BrokerAccess> {
  const urls = (urlOf: (service: ServiceName) => string) =>
    Object.fromEntries(serviceNames.map((service) => [service, urlOf(service)])) as Record<
      ServiceName,
      string
    >;
  // Whoever gives a broker has decided what its user may do.
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
