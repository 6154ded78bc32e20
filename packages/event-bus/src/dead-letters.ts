import type { Event, QueueName } from '@lendtools/contracts';
import { type ConfirmChannel, connect, type GetMessage } from 'amqplib';
import { deadQueue } from './topology.ts';

export interface DeadLetter {
  eventId: string;
  type: string;
  diedAt: string;
  error: string;
  event: unknown;
}

const withChannel = async <T>(
  url: string,
  work: (channel: ConfirmChannel) => Promise<T>,
): Promise<T> => {
  const connection = await connect(url, { noDelay: true, timeout: 5_000 });
  try {
    return await work(await connection.createConfirmChannel());
  } finally {
    await connection.close();
  }
};

/** How many dead letters lie behind each queue that has any. */
export const countDeadLetters = (
  url: string,
  queues: readonly QueueName[],
): Promise<Map<QueueName, number>> =>
  withChannel(url, async (channel) => {
    const counts = new Map<QueueName, number>();
    for (const queue of queues) {
      const { messageCount } = await channel.checkQueue(deadQueue(queue));
      if (messageCount > 0) counts.set(queue, messageCount);
    }
    return counts;
  });

const read = (message: GetMessage): DeadLetter => {
  const headers = message.properties.headers ?? {};
  const text = message.content.toString();
  let event: unknown = text;
  try {
    event = JSON.parse(text);
  } catch {
    // What can't be parsed is shown as it came.
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

/** The dead letters of a queue, oldest first; they stay where they are. */
export const showDeadLetters = (url: string, queue: QueueName, most = 50): Promise<DeadLetter[]> =>
  withChannel(url, async (channel) => {
    const letters: DeadLetter[] = [];
    // Unacknowledged, they go back when the connection closes.
    for (let i = 0; i < most; i++) {
      const message = await channel.get(deadQueue(queue), { noAck: false });
      if (!message) break;
      letters.push(read(message));
    }
    return letters;
  });

/** Puts each dead letter back into its queue as new; returns how many. */
export const replayDeadLetters = (url: string, queue: QueueName): Promise<number> =>
  withChannel(url, async (channel) => {
    const { messageCount } = await channel.checkQueue(deadQueue(queue));
    let replayed = 0;
    for (; replayed < messageCount; replayed++) {
      const message = await channel.get(deadQueue(queue), { noAck: false });
      if (!message) break;
      channel.publish('', queue, message.content, {
        persistent: true,
        contentType: 'application/json',
      });
      await channel.waitForConfirms();
      channel.ack(message);
    }
    return replayed;
  });
