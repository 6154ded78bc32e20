import { setTimeout as delay } from 'node:timers/promises';
import { type Event, parseEvent, type QueueName, type SubscribedEvent } from '@lendtools/contracts';
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

const prefetch = 10;
const maxAttempts = 10;
const patienceMs = 3 * 86_400_000;

/**
 * Consumes the queues for as long as the broker lives. A failed message waits on the retry ladder while others
 * flow, and after ten attempts, or at once when it can't be read, lies in `<queue>.dead`. While the service's own
 * database is away no attempt counts: the message is held until it is back.
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
    let event: Event;
    try {
      event = parseEvent(JSON.parse(message.content.toString()));
    } catch (error) {
      await this.#bury(channel, consumer.queue, message, error as Error);
      return;
    }
    const { correlationId, traceparent } = event;
    await runInContext({ correlationId, traceparent, causationId: event.id }, async () => {
      try {
        await this.#handleThroughOutage(consumer, event);
      } catch (error) {
        const waits = error instanceof NotKnownYetError && isYoung(event);
        await this.#retryLater(channel, consumer.queue, message, { error: error as Error, waits });
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
    { error, waits }: { error: Error; waits: boolean },
  ): Promise<void> {
    const attempt = Number(message.properties.headers?.['x-attempt'] ?? 0) + 1;
    if (attempt >= maxAttempts && !waits) return this.#bury(channel, queue, message, error);
    this.#logger.warn({ err: error, queue, attempt }, 'an event failed and will be tried again');
    const ladder = this.#broker.topology.retryDelaysMs;
    const delayMs = ladder[Math.min(attempt, ladder.length) - 1] as number;
    await this.#move(channel, message, retryExchange(delayMs), queue, { 'x-attempt': attempt });
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

const isYoung = ({ occurredAt }: Event): boolean =>
  Date.now() - Date.parse(occurredAt) < patienceMs;
