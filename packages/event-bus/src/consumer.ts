import { randomUUID } from 'node:crypto';
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
  inSpan,
  inTransaction,
  isCutShort,
  isOutage,
  type Logger,
  type Pool,
  runInContext,
  type Transaction,
} from '@lendtools/service-kit';
import type { Channel, ChannelModel, ConsumeMessage } from 'amqplib';
import type { Broker } from './broker.ts';
import { closeChannel } from './channels.ts';
import { deadQueue, defaultHold, queuesExchange, retryExchange, serviceOf } from './topology.ts';

/** The handler must be idempotent. */
export interface Consumer {
  queue: QueueName;
  handle: (event: Event) => Promise<void>;
}

export const subscribe = <Q extends QueueName>(
  queue: Q,
  handle: (event: Event<SubscribedEvent<Q>>) => Promise<void>,
): Consumer => ({ queue, handle: handle as Consumer['handle'] });

/** Records the event in the same transaction as the changes of its handler, so that a redelivery is a no-op. */
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
 * Thrown by a handler that needs data from another event, which is still in transit: queues have no common order, and an outage may
 * delay an event. The message is valid, so it is retried for three days before it is dead-lettered.
 */
export class NotKnownYetError extends Error {}

/** During an upgrade both versions consume the same queue, so retry until a newer replica takes the event. */
class LaterVersionError extends NotKnownYetError {}

const prefetch = 10;
const maxAttempts = 10;
const patienceMs = 3 * 86_400_000;

/** Each queue logs an outage at most once in this time. */
const logEveryMs = 60_000;

/**
 * Moves a failed message to the retry ladder, a series of queues with growing delays, and continues with the other messages. After
 * ten attempts, or at once if it is no valid event, the message is moved to `<queue>.dead`.
 * An outage means that the service's database is unreachable, read-only or full, or that another service replies 503. It uses up no
 * attempt, however long it lasts. Each queue keeps its unacknowledged events (at most `prefetch`), retries them with backoff, and
 * after a minute moves them to the ladder and takes the next ones. So the backlog stays at the broker, and if an outage affects
 * only one event, this event delays the others by a minute at most. A statement timeout uses up no attempt for three days; its
 * event goes to the ladder at once.
 */
export class Consumers {
  readonly #broker: Broker;
  readonly #logger: Logger;
  readonly #channels = new Map<Channel, string>();
  readonly #underWay = new Set<Promise<void>>();
  readonly #heldUp = new Map<QueueName, number>();
  readonly #stop = new AbortController();

  constructor(broker: Broker, logger: Logger, consumers: Consumer[]) {
    this.#broker = broker;
    this.#logger = logger;
    broker.addSetup(async (connection) => {
      if (this.#stop.signal.aborted) return;
      for (const consumer of consumers) await this.#consume(connection, consumer);
    });
  }

  async #consume(connection: ChannelModel, consumer: Consumer): Promise<void> {
    const channel = await connection.createChannel();
    const consumerTag = randomUUID();
    this.#channels.set(channel, consumerTag);
    const reconnect = (): void => {
      if (!this.#stop.signal.aborted) void connection.close().catch(() => {});
    };
    channel.on('error', (error) =>
      this.#logger.warn({ err: error, queue: consumer.queue }, 'a consuming channel broke'),
    );
    channel.once('close', () => {
      this.#channels.delete(channel);
      reconnect();
    });
    await channel.prefetch(prefetch);
    const take = (message: ConsumeMessage): void => {
      const work = this.#process(channel, consumer, message).catch((error: unknown) => {
        this.#logger.error({ err: error, queue: consumer.queue }, 'a message could not be settled');
        reconnect();
      });
      this.#underWay.add(work);
      void work.finally(() => this.#underWay.delete(work));
    };
    // The broker cancels a consumer whose queue was deleted; reconnecting declares the queue again.
    const onMessage = (message: ConsumeMessage | null) => (message ? take(message) : reconnect());
    await channel.consume(consumer.queue, onMessage, { consumerTag });
  }

  async #process(channel: Channel, consumer: Consumer, message: ConsumeMessage): Promise<void> {
    let parsed: Envelope;
    try {
      parsed = envelope.parse(JSON.parse(message.content.toString()));
    } catch (error) {
      await this.#bury(channel, consumer.queue, message, error as Error);
      return;
    }
    const { correlationId } = parsed;
    await runInContext({ correlationId, causationId: parsed.id }, async () => {
      for (let tries = triesOf(message); ; ) {
        try {
          const event = readEvent(consumer.queue, parsed);
          await this.#handleThroughOutage(
            consumer,
            event,
            traceparentOf(message) ?? parsed.traceparent,
          );
        } catch (error) {
          tries = countTry(tries, parsed, error);
          const failed = { parsed, tries, error: error as Error };
          if (await this.#putOff(channel, consumer.queue, message, failed)) return;
          continue;
        }
        await faultPoint('consumer.beforeAck');
        channel.ack(message);
        return;
      }
    });
  }

  async #handleThroughOutage(
    consumer: Consumer,
    event: Event,
    traceparent: string | null,
  ): Promise<void> {
    const span = {
      name: `process ${consumer.queue}`,
      kind: 'consumer' as const,
      attributes: { 'messaging.system': 'rabbitmq', 'messaging.destination.name': consumer.queue },
      parent: traceparent,
    };
    const { firstMs, longestMs, forMs } = this.#broker.topology.hold ?? defaultHold;
    const { signal } = this.#stop;
    const endMs = Date.now() + forMs;
    for (let delayMs = firstMs; ; delayMs = Math.min(2 * delayMs, longestMs)) {
      try {
        await inSpan(span, () => consumer.handle(event));
        this.#noteEnd(consumer.queue);
        return;
      } catch (error) {
        if (!isOutage(error)) throw error;
        this.#noteOutage(consumer.queue, error);
        if (Date.now() + delayMs > endMs) throw error;
        await delay(delayMs, undefined, { signal }).catch(() => {});
        if (signal.aborted) throw error;
      }
    }
  }

  #noteOutage(queue: QueueName, error: unknown): void {
    if (Date.now() - (this.#heldUp.get(queue) ?? 0) < logEveryMs) return;
    this.#heldUp.set(queue, Date.now());
    this.#logger.warn({ err: error, queue }, 'an outage holds up the queue');
  }

  #noteEnd(queue: QueueName): void {
    if (this.#heldUp.delete(queue)) this.#logger.info({ queue }, 'the queue flows again');
  }

  /**
   * Moves a failed event to the ladder or to the dead letters. Returns false if the broker stays blocked: the caller then retries
   * the event, because ten failed events would otherwise hold up their queue until the broker unblocks.
   */
  async #putOff(
    channel: Channel,
    queue: QueueName,
    message: ConsumeMessage,
    { parsed, tries, error }: { parsed: Envelope; tries: Tries; error: Error },
  ): Promise<boolean> {
    if (tries.attempt >= maxAttempts && !waits(parsed, error)) {
      await this.#bury(channel, queue, message, error);
      return true;
    }
    const { attempt, wait } = tries;
    const { id: eventId, type } = parsed;
    if (!isOutage(error))
      this.#logger.warn(
        { err: error, queue, attempt, eventId, type },
        'an event failed and will be retried',
      );
    const delayMs = this.#delayMs(attempt + wait, error);
    if (!this.#broker.canPublish) {
      const { signal } = this.#stop;
      await Promise.race([
        this.#broker.whenAbleToPublish(),
        delay(delayMs, undefined, { signal }).catch(() => {}),
      ]);
      if (!this.#broker.canPublish && this.#channels.has(channel) && !signal.aborted) return false;
    }
    const to = { exchange: retryExchange(serviceOf(queue), delayMs), key: queue };
    await this.#move(channel, message, to, { 'x-attempt': attempt, 'x-waits': wait });
    return true;
  }

  /**
   * The longest delay is for events that still fail after ten tries, so that ten thousand of them cause only about thirty tries a
   * second. Events delayed by an outage never get it: they are few, and should not be late when the outage ends. An event that this
   * version cannot read skips the ladder's first two steps, because a quick retry is pointless.
   */
  #delayMs(tries: number, error: Error): number {
    const ladder = this.#broker.topology.retryDelaysMs;
    const last = ladder.length - 1;
    if (tries >= maxAttempts && !isOutage(error)) return ladder[last] as number;
    const step = error instanceof LaterVersionError ? tries + 1 : tries - 1;
    return ladder[Math.min(step, Math.max(last - 1, 0))] as number;
  }

  async #bury(
    channel: Channel,
    queue: QueueName,
    message: ConsumeMessage,
    error: Error,
  ): Promise<void> {
    this.#logger.error({ err: error, queue }, 'an event was moved to the dead letters');
    const headers = {
      'x-error': error.message.slice(0, 500),
      'x-died-at': new Date().toISOString(),
    };
    const to = { exchange: queuesExchange(serviceOf(queue)), key: deadQueue(queue) };
    await this.#move(channel, message, to, headers);
  }

  /**
   * Publishes the copy before it acknowledges the original: a crash in between causes a duplicate, never a loss. Waits while the
   * broker is blocked; if the connection breaks meanwhile, the original is redelivered.
   */
  async #move(
    channel: Channel,
    message: ConsumeMessage,
    { exchange, key }: { exchange: string; key: string },
    headers: Record<string, unknown>,
  ): Promise<void> {
    await this.#broker.whenAbleToPublish();
    if (!this.#channels.has(channel)) return;
    await this.#broker.publish(exchange, key, message.content, {
      mandatory: true,
      headers: { ...message.properties.headers, ...headers },
    });
    channel.ack(message);
  }

  /** Waits for events in progress, except those that an outage delays: they return to the queue. */
  async stop(): Promise<void> {
    this.#stop.abort();
    this.#broker.hurry();
    for (const [channel, consumerTag] of this.#channels)
      await channel.cancel(consumerTag).catch(() => {});
    await Promise.all(this.#underWay);
    await Promise.all([...this.#channels.keys()].map(closeChannel));
  }
}

/** @throws LaterVersionError if this version does not know the event's type or shape, or does not expect it on this queue */
const readEvent = (queue: QueueName, parsed: Envelope): Event => {
  const expected: readonly string[] = subscriptions[queue];
  if (!expected.includes(parsed.type))
    throw new LaterVersionError(`This version does not expect ${parsed.type} here`);
  try {
    return parseEvent(parsed);
  } catch (cause) {
    throw new LaterVersionError(`This version cannot read this ${parsed.type}`, { cause });
  }
};

/** Returns the trace context of the step that published the event: a nearer cause than the request that created the event. */
const traceparentOf = ({ properties: { headers } }: ConsumeMessage): string | null => {
  const { traceparent } = headers ?? {};
  return typeof traceparent === 'string' ? traceparent : null;
};

/** `attempt` counts failed attempts, `wait` the waits that use up no attempt. */
interface Tries {
  attempt: number;
  wait: number;
}

const triesOf = ({ properties: { headers } }: ConsumeMessage): Tries => ({
  attempt: Number(headers?.['x-attempt'] ?? 0),
  wait: Number(headers?.['x-waits'] ?? 0),
});

const countTry = ({ attempt, wait }: Tries, parsed: Envelope, error: unknown): Tries =>
  waits(parsed, error) ? { attempt, wait: wait + 1 } : { attempt: attempt + 1, wait };

const waits = (parsed: Envelope, error: unknown): boolean =>
  isOutage(error) || (maySucceedLater(error) && isYoung(parsed));

const maySucceedLater = (error: unknown): boolean =>
  error instanceof NotKnownYetError || isCutShort(error);

const isYoung = ({ occurredAt }: Envelope): boolean =>
  Date.now() - Date.parse(occurredAt) < patienceMs;
