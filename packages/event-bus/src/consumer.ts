import { setTimeout as delay } from 'node:timers/promises';
import {
  type Envelope,
  type Event,
  envelope,
  parseEvent,
  type QueueName,
  type SubscribedEvent,
  subscriptions,
} from '@lendtools/contracts';
import {
  faultPoint,
  inTransaction,
  isDatabaseOutage,
  type Logger,
  type Pool,
  runInContext,
  type Transaction,
} from '@lendtools/service-kit';
import type { Channel, ChannelModel, ConsumeMessage } from 'amqplib';
import type { Broker } from './broker.ts';
import { deadQueue, retryExchange } from './topology.ts';

/** A queue and what is done with each of its events. The effect must be safe to repeat. */
export interface Consumer {
  queue: QueueName;
  handle: (event: Event) => Promise<void>;
}

export const subscribe = <Q extends QueueName>(
  queue: Q,
  handle: (event: Event<SubscribedEvent<Q>>) => Promise<void>,
): Consumer => ({ queue, handle: handle as Consumer['handle'] });

/** The effect and the note that it happened in one transaction: a repeat of the event does nothing. */
export const subscribeOnce = <Q extends QueueName>(
  queue: Q,
  pool: Pool,
  handle: (event: Event<SubscribedEvent<Q>>, tx: Transaction) => Promise<void>,
): Consumer => ({
  queue,
  handle: (event) =>
    inTransaction(pool, async (tx) => {
      const noted = await tx.query(
        'INSERT INTO inbox_messages (queue, event_id) VALUES ($1, $2) ON CONFLICT DO NOTHING',
        [queue, event.id],
      );
      if (noted.rowCount === 0) return;
      await handle(event as Event<SubscribedEvent<Q>>, tx);
    }),
});

/**
 * Thrown by a handler that needs what another event, still on its way, will tell. Queues come in no common order, and
 * one may lie behind an outage: such a message is not broken, so it waits for three days before it counts as dead.
 */
export class NotKnownYetError extends Error {}

/** An event of a later version, whose replicas can read it: during an upgrade both take from one queue. */
class LaterVersionError extends NotKnownYetError {}

const prefetch = 10;
const maxAttempts = 10;
const patienceMs = 3 * 86_400_000;

/**
 * Consumes the queues for as long as the broker lives. A failed message waits on the retry ladder while others
 * flow, and after ten attempts, or at once when it is no event at all, lies in `<queue>.dead`. While the service's
 * own database is away no attempt counts: the message is held until it is back.
 */
export class Consumers {
  readonly #broker: Broker;
  readonly #logger: Logger;
  readonly #channels = new Set<{ channel: Channel; consumerTag: string }>();
  readonly #underWay = new Set<Promise<void>>();
  #stopping = false;

  constructor(broker: Broker, logger: Logger, consumers: Consumer[]) {
    this.#broker = broker;
    this.#logger = logger;
    broker.addSetup(async (connection) => {
      if (this.#stopping) return;
      this.#channels.clear();
      for (const consumer of consumers) await this.#consume(connection, consumer);
    });
  }

  async #consume(connection: ChannelModel, consumer: Consumer): Promise<void> {
    const channel = await connection.createChannel();
    const reconnect = (): void => {
      if (!this.#stopping) void connection.close().catch(() => {});
    };
    channel.on('error', (error) =>
      this.#logger.warn({ err: error, queue: consumer.queue }, 'a consuming channel broke'),
    );
    channel.once('close', reconnect);
    await channel.prefetch(prefetch);
    const { consumerTag } = await channel.consume(consumer.queue, (message) => {
      // The broker cancels a consumer whose queue was deleted: connecting again declares it again.
      if (!message) return reconnect();
      const work = this.#process(channel, consumer, message).catch((error: unknown) => {
        this.#logger.error({ err: error, queue: consumer.queue }, 'a message could not be settled');
        reconnect();
      });
      this.#underWay.add(work);
      void work.finally(() => this.#underWay.delete(work));
    });
    this.#channels.add({ channel, consumerTag });
  }

  async #process(channel: Channel, consumer: Consumer, message: ConsumeMessage): Promise<void> {
    let told: Envelope;
    try {
      told = envelope.parse(JSON.parse(message.content.toString()));
    } catch (error) {
      await this.#bury(channel, consumer.queue, message, error as Error);
      return;
    }
    const { correlationId, traceparent } = told;
    await runInContext({ correlationId, traceparent, causationId: told.id }, async () => {
      try {
        const event = readEvent(consumer.queue, told);
        await this.#handleThroughOutage(consumer, event);
      } catch (error) {
        await this.#retryLater(channel, consumer.queue, message, { told, error: error as Error });
        return;
      }
      await faultPoint('consumer.beforeAck');
      channel.ack(message);
    });
  }

  async #handleThroughOutage(consumer: Consumer, event: Event): Promise<void> {
    for (;;) {
      try {
        return await consumer.handle(event);
      } catch (error) {
        if (!isDatabaseOutage(error) || this.#stopping) throw error;
        this.#logger.warn(
          { err: error, queue: consumer.queue },
          'the database is away; holding the event',
        );
        await delay(500);
      }
    }
  }

  async #retryLater(
    channel: Channel,
    queue: QueueName,
    message: ConsumeMessage,
    { told, error }: { told: Envelope; error: Error },
  ): Promise<void> {
    const attempt = Number(message.properties.headers?.['x-attempt'] ?? 0) + 1;
    const waits = error instanceof NotKnownYetError && isYoung(told);
    if (attempt >= maxAttempts && !waits) return this.#bury(channel, queue, message, error);
    const { id: eventId, type } = told;
    this.#logger.warn(
      { err: error, queue, attempt, eventId, type },
      'an event failed and will be tried again',
    );
    const delayMs = this.#delayMs(attempt, error);
    await this.#move(channel, message, retryExchange(delayMs), queue, { 'x-attempt': attempt });
  }

  /**
   * The last step of the ladder is for what still waits after ten tries, so that ten thousand such events are thirty
   * tries a second. The first steps would be in vain for an event that no try of this version can read.
   */
  #delayMs(attempt: number, error: Error): number {
    const ladder = this.#broker.topology.retryDelaysMs;
    const last = ladder.length - 1;
    const step = error instanceof LaterVersionError ? attempt + 1 : attempt - 1;
    return ladder[attempt >= maxAttempts ? last : Math.min(step, Math.max(last - 1, 0))] as number;
  }

  async #bury(
    channel: Channel,
    queue: QueueName,
    message: ConsumeMessage,
    error: Error,
  ): Promise<void> {
    this.#logger.error({ err: error, queue }, 'an event is put aside as a dead letter');
    const headers = {
      'x-error': error.message.slice(0, 500),
      'x-died-at': new Date().toISOString(),
    };
    await this.#move(channel, message, '', deadQueue(queue), headers);
  }

  /** The copy is safe before the original is acknowledged: a crash between them makes a repeat, never a loss. */
  async #move(
    channel: Channel,
    message: ConsumeMessage,
    exchange: string,
    key: string,
    headers: Record<string, unknown>,
  ): Promise<void> {
    await this.#broker.publish(exchange, key, message.content, {
      mandatory: true,
      headers: { ...message.properties.headers, ...headers },
    });
    channel.ack(message);
  }

  /** Takes no more and waits for what is under way. */
  async stop(): Promise<void> {
    this.#stopping = true;
    for (const { channel, consumerTag } of this.#channels)
      await channel.cancel(consumerTag).catch(() => {});
    await Promise.all(this.#underWay);
  }
}

/** @throws LaterVersionError when this version does not expect the event, or not in this shape. */
const readEvent = (queue: QueueName, told: Envelope): Event => {
  const expected: readonly string[] = subscriptions[queue];
  if (!expected.includes(told.type))
    throw new LaterVersionError(`This version expects no ${told.type} here`);
  try {
    return parseEvent(told);
  } catch (cause) {
    throw new LaterVersionError(`This version can't read this ${told.type}`, { cause });
  }
};

const isYoung = ({ occurredAt }: Envelope): boolean =>
  Date.now() - Date.parse(occurredAt) < patienceMs;
