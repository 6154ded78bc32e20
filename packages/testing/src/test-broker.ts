import { randomBytes } from 'node:crypto';
import {
  type Envelope,
  type Event,
  type EventData,
  type EventType,
  parseEvent,
  type QueueName,
  routingKey,
  type ServiceName,
  serviceNames,
} from '@lendtools/contracts';
import {
  deadQueue,
  declareAll,
  eventsExchange,
  newEvent,
  type Topology,
} from '@lendtools/event-bus';
import { type ChannelModel, type ConfirmChannel, connect } from 'amqplib';
import { testServers } from './servers.ts';
import { waitFor } from './wait-for.ts';

/** A virtual host for one test. Its spy receives every event. */
export interface TestBroker {
  url: string;
  received: Event[];
  expectEvent<T extends EventType>(
    type: T,
    fits?: (data: EventData<T>) => boolean,
  ): Promise<Event<T>>;
  /** Publishes like the event's producer. The same envelope may be sent twice. */
  send(event: Envelope): Promise<void>;
  sendNew<T extends EventType>(
    type: T,
    data: EventData<T>,
    aggregate?: { id: string; version: number },
  ): Promise<Envelope>;
  /** Sends to a queue directly, not through an exchange. */
  sendRaw(queue: QueueName, content: string): Promise<void>;
  /** Stops the spy, so that only the service's own queues receive its events. */
  stopConsuming(): Promise<void>;
  deleteQueue(queue: QueueName): Promise<void>;
  /** Closes every other connection to this virtual host, as a network fault would. */
  cutConnections(): Promise<void>;
  countDead(queue: QueueName): Promise<number>;
  /** Declares the queues, so that they keep events that are sent before a service connects. */
  declare(topology: Topology): Promise<void>;
  drop(): Promise<void>;
}

/** Users belong to the whole broker, so all tests use the same passwords. */
export const brokerPasswords = Object.fromEntries(
  serviceNames.map((service) => [service, `broker-password-of-${service}`]),
) as Record<ServiceName, string>;

const spyName = 'spy';

export const manage = async <T = void>(
  method: string,
  path: string,
  body?: unknown,
): Promise<T> => {
  const url = new URL(testServers().amqpManagementUrl);
  const credentials = Buffer.from(
    `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`,
  );
  const reply = await fetch(`http://${url.host}/api${path}`, {
    method,
    headers: {
      authorization: `Basic ${credentials.toString('base64')}`,
      'content-type': 'application/json',
    },
    body: body === undefined ? null : JSON.stringify(body),
  });
  if (!reply.ok && reply.status !== 404)
    throw new Error(`RabbitMQ answered ${reply.status} to ${method} ${path}`);
  const text = await reply.text();
  return (text.startsWith('[') || text.startsWith('{') ? JSON.parse(text) : undefined) as T;
};

const createVirtualHost = async (): Promise<{ name: string; url: string }> => {
  const name = `test_${randomBytes(8).toString('hex')}`;
  const url = new URL(testServers().amqpUrl);
  await manage('PUT', `/vhosts/${name}`, {});
  await manage('PUT', `/permissions/${name}/${decodeURIComponent(url.username)}`, {
    configure: '.*',
    write: '.*',
    read: '.*',
  });
  url.pathname = `/${name}`;
  return { name, url: url.toString() };
};

const listen = async (
  connection: ChannelModel,
  received: Event[],
): Promise<{ channel: ConfirmChannel; earQueue: string }> => {
  const channel = await connection.createConfirmChannel();
  await channel.assertExchange(eventsExchange, 'topic', { durable: true });
  const { queue } = await channel.assertQueue('', { exclusive: true });
  await channel.bindQueue(queue, eventsExchange, '#');
  await channel.consume(
    queue,
    (message) => {
      if (message) received.push(parseEvent(JSON.parse(message.content.toString())));
    },
    { noAck: true },
  );
  return { channel, earQueue: queue };
};

const cutConnections = async (virtualHost: string): Promise<void> => {
  // Wait, because the management API lists a new connection only seconds later, with its next statistics.
  const connections = await waitFor('the connections', async () => {
    const all = await manage<{ name: string; client_properties: { connection_name?: string } }[]>(
      'GET',
      `/vhosts/${virtualHost}/connections`,
    );
    const others = all.filter((each) => each.client_properties.connection_name !== spyName);
    return others.length > 0 && others;
  });
  // Retry a 500: RabbitMQ replies 500 while a connection is closing by itself, and 404 once the connection is closed.
  const cut = async (connectionName: string) => {
    await manage('DELETE', `/connections/${encodeURIComponent(connectionName)}`);
    return true;
  };
  for (const each of connections) await waitFor(`the end of ${each.name}`, () => cut(each.name));
};

export const createTestBroker = async (): Promise<TestBroker> => {
  const { name, url } = await createVirtualHost();
  const connection = await connect(url, {
    noDelay: true,
    clientProperties: { connection_name: spyName },
  });
  // Without a listener, an error would end the process and the other tests in it.
  connection.on('error', () => {});
  const received: Event[] = [];
  const { channel, earQueue } = await listen(connection, received);

  const publish = async (exchange: string, key: string, content: string): Promise<void> => {
    channel.publish(exchange, key, Buffer.from(content), { persistent: true });
    await channel.waitForConfirms();
  };
  const send = (event: Envelope): Promise<void> =>
    publish(eventsExchange, routingKey(event.type as EventType), JSON.stringify(event));

  return {
    url,
    received,
    send,
    sendRaw: (queue, content) => publish('', queue, content),
    async sendNew(type, data, aggregate = { id: 'test', version: 1 }) {
      const event = newEvent(type, aggregate, data);
      await send(event);
      return event;
    },
    expectEvent: (type, fits = () => true) =>
      waitFor(`a ${type}`, () =>
        received.find((event) => event.type === type && fits(event.data as EventData<typeof type>)),
      ) as Promise<Event<typeof type>>,
    async countDead(queue) {
      // Count by fetching the messages, because a quorum queue's own count can be five seconds old. Closing the channel returns the
      // messages to the queue.
      const counting = await connection.createChannel();
      let count = 0;
      while (await counting.get(deadQueue(queue))) count++;
      await counting.close();
      return count;
    },
    async stopConsuming() {
      await channel.unbindQueue(earQueue, eventsExchange, '#');
    },
    async deleteQueue(queue) {
      await channel.deleteQueue(queue);
    },
    cutConnections: () => cutConnections(name),
    declare: (topology) => declareAll(connection, topology),
    async drop() {
      await connection.close();
      await manage('DELETE', `/vhosts/${name}`);
    },
  };
};
