import type { ServiceName } from '@lendtools/contracts';
import { definitionsOf } from './broker-users.ts';
import { declareAll } from './declare.ts';
import { onConnection } from './on-connection.ts';
import { type Topology, wholeTopology } from './topology.ts';

/**
 * Creates all queues and users, because services may not create them. Idempotent; run it before each upgrade: events without
 * a queue are lost.
 */
export const setUpBroker = async (options: {
  /** The URL has an administrator's credentials and the virtual host. */
  amqpUrl: string;
  managementUrl: string;
  passwords: Record<ServiceName, string>;
  topology?: Topology;
}): Promise<void> => {
  const { amqpUrl, managementUrl, passwords, topology = wholeTopology } = options;
  const vhost = decodeURIComponent(new URL(amqpUrl).pathname.slice(1)) || '/';
  await onConnection(amqpUrl, (connection) => declareAll(connection, topology), {
    timeout: 10_000,
  });
  await importDefinitions(managementUrl, definitionsOf(passwords, vhost));
};

const importDefinitions = async (managementUrl: string, definitions: object): Promise<void> => {
  const { origin, username, password } = new URL(managementUrl);
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const reply = await fetch(`${origin}/api/definitions`, {
    method: 'POST',
    redirect: 'error',
    headers: {
      authorization: `Basic ${Buffer.from(credentials).toString('base64')}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(definitions),
  });
  if (!reply.ok)
    throw new Error(
      `RabbitMQ replied ${reply.status} to the import of its definitions: ${await reply.text()}`,
    );
};
