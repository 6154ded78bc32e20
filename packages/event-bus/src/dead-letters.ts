import type { Event, QueueName } from '@lendtools/contracts';
import type { ChannelModel, ConfirmChannel, GetMessage } from 'amqplib';
import { closeChannel, openChannel } from './channels.ts';
import { onConnection } from './on-connection.ts';
import { deadQueue, queuesExchange, serviceOf } from './topology.ts';

interface DeadLetter {
  eventId: string;
  type: string;
  diedAt: string;
  error: string;
  event: unknown;
}

const withChannel = <T>(url: string, work: (channel: ConfirmChannel) => Promise<T>): Promise<T> =>
  onConnection(url, async (connection) => {
    const channel = await connection.createConfirmChannel();
    const result = await work(channel);
    await closeChannel(channel);
    return result;
  });

export const countDeadLetters = (
  url: string,
  queues: readonly QueueName[],
): Promise<Map<QueueName, number>> =>
  onConnection(url, async (connection) => {
    const counts = await lengthsOf(connection, queues.map(deadQueue));
    return new Map(queues.flatMap((queue, i) => (counts[i] ? [[queue, counts[i]]] : [])));
  });

export const lengthsOf = async (
  connection: ChannelModel,
  queues: readonly string[],
): Promise<number[]> => {
  const channel = await openChannel(connection);
  const lengths: number[] = [];
  for (const queue of queues) lengths.push((await channel.checkQueue(queue)).messageCount);
  await closeChannel(channel);
  return lengths;
};

const read = (message: GetMessage): DeadLetter => {
  const headers = message.properties.headers ?? {};
  const text = message.content.toString();
  let event: unknown = text;
  try {
    event = JSON.parse(text);
  } catch {
    // The content is not JSON: show it as it is.
  }
  const { id, type } = (event ?? {}) as Partial<Event>;
  return {
    eventId: id ?? '(none)',
    type: type ?? '(none)',
    diedAt: String(headers['x-died-at'] ?? ''),
    error: String(headers['x-error'] ?? 'The consumer died 20 times while it handled this.'),
    event,
  };
};

/**
 * Returns dead letters without removing or reordering them. RabbitMQ counts each listing as a delivery; dead-letter queues allow a
 * billion.
 */
export const showDeadLetters = (url: string, queue: QueueName, most = 50): Promise<DeadLetter[]> =>
  withChannel(url, async (channel) => {
    const letters: DeadLetter[] = [];
    // Don't acknowledge the messages, so that they return to the queue when the channel closes.
    for (let i = 0; i < most; i++) {
      const message = await channel.get(deadQueue(queue), { noAck: false });
      if (!message) break;
      letters.push(read(message));
    }
    return letters;
  });

/** Moves dead letters back to their queue, where their attempts are counted from 1 again. @returns how many were moved */
export const replayDeadLetters = (url: string, queue: QueueName): Promise<number> =>
  withChannel(url, async (channel) => {
    const { messageCount } = await channel.checkQueue(deadQueue(queue));
    let isReturned = false;
    channel.on('return', () => {
      isReturned = true;
    });
    let replayed = 0;
    for (; replayed < messageCount; replayed++) {
      const message = await channel.get(deadQueue(queue), { noAck: false });
      if (!message) break;
      channel.publish(queuesExchange(serviceOf(queue)), queue, message.content, {
        persistent: true,
        mandatory: true,
        contentType: 'application/json',
      });
      await channel.waitForConfirms();
      if (isReturned) throw new Error(`${queue} does not exist: start its service first`);
      channel.ack(message);
    }
    return replayed;
  });
