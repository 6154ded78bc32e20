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
 * Thrown by a handler that needs what another event, still in transit, will bring. Queues have no common order, and
 * one may be delayed by an outage: such a message is not broken, so it waits for three days before it counts as dead.
 */
export class NotKnownYetError extends Error {}

/** An event of a later version, whose replicas can read it: during an upgrade both take from one queue. */
class LaterVersionError extends NotKnownYetError {}

const prefetch = 10;
const maxAttempts = 10;
const patienceMs = 3 * 86_400_000;

/** During an outage, each queue logs it once in this time. */
const logEveryMs = 60_000;

/**
 * Consumes the queues for as long as the broker lives. A failed message waits on the retry ladder while others
 * flow, and after ten attempts, or at once when it is no event at all, lies in `<queue>.dead`.
 *
 * What fails by an outage uses up no attempt, however long that lasts: the service's own database is away, read-only or
 * full, or another service that the effect asks says 503. Each queue holds what it has taken, at most `prefetch` events,
 * tries them at growing intervals, and after a minute puts them on the ladder and takes the next. So the queue itself
 * waits at the broker, and an event that alone meets such a fault keeps up nobody for longer than that.
 *
 * A statement that was too slow uses up no attempt for three days; its event waits on the ladder, never here.
 */
export class Consumers {
  readonly #broker: Broker;
  readonly #logger: Logger;
  /** Those that are open, with the tag of their consumer. */
  readonly #channels = new Map<Channel, string>();
  readonly #underWay = new Set<Promise<void>>();
  /** When each held-up queue last logged it. */
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
    // The broker cancels a consumer whose queue was deleted: connecting again declares it again.
    const onMessage = (message: ConsumeMessage | null) => (message ? take(message) : reconnect());
    await channel.consume(consumer.queue, onMessage, { consumerTag });
  }

  async #process(channel: Channel, consumer: Consumer, message: ConsumeMessage): Promise<void> {
    let told: Envelope;
    try {
      told = envelope.parse(JSON.parse(message.content.toString()));
    } catch (error) {
      await this.#bury(channel, consumer.queue, message, error as Error);
      return;
    }
    const { correlationId } = told;
    await runInContext({ correlationId, causationId: told.id }, async () => {
      for (let tries = triesOf(message); ; ) {
        try {
          const event = readEvent(consumer.queue, told);
          await this.#handleThroughOutage(
            consumer,
            event,
            traceparentOf(message) ?? told.traceparent,
          );
        } catch (error) {
          tries = countTry(tries, told, error);
          const failed = { told, tries, error: error as Error };
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
   * Puts a failed event on the ladder, or among the dead. False while the broker takes nothing: the event has waited
   * here then, and is to be tried again, or ten that failed would hold up their queue for as long as that lasts.
   */
  async #putOff(
    channel: Channel,
    queue: QueueName,
    message: ConsumeMessage,
    { told, tries, error }: { told: Envelope; tries: Tries; error: Error },
  ): Promise<boolean> {
    if (tries.attempt >= maxAttempts && !waits(told, error)) {
      await this.#bury(channel, queue, message, error);
      return true;
    }
    const { attempt, wait } = tries;
    const { id: eventId, type } = told;
    if (!isOutage(error))
      this.#logger.warn(
        { err: error, queue, attempt, eventId, type },
        'an event failed and will be tried again',
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
   * The last step of the ladder is for what still waits after ten tries, so that ten thousand such events are thirty
   * tries a second; not for what an outage held up, of which few are here and none should be late when it ends. The
   * first steps would be in vain for an event that no try of this version can read.
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
    this.#logger.error({ err: error, queue }, 'an event is put aside as a dead letter');
    const headers = {
      'x-error': error.message.slice(0, 500),
      'x-died-at': new Date().toISOString(),
    };
    const to = { exchange: queuesExchange(serviceOf(queue)), key: deadQueue(queue) };
    await this.#move(channel, message, to, headers);
  }

  /**
   * The copy is safe before the original is acknowledged: a crash between them makes a repeat, never a loss. It waits
   * for a broker that accepts nothing; if the connection breaks meanwhile, the original is delivered again.
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

  /** Accepts no more and waits for what is in progress; what an outage holds up goes back to the broker. */
  async stop(): Promise<void> {
    this.#stop.abort();
    this.#broker.hurry();
    for (const [channel, consumerTag] of this.#channels)
      await channel.cancel(consumerTag).catch(() => {});
    await Promise.all(this.#underWay);
    await Promise.all([...this.#channels.keys()].map(closeChannel));
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

/** The span that published it, which is nearer than the one that the event was made in. */
const traceparentOf = ({ properties: { headers } }: ConsumeMessage): string | null => {
  const { traceparent } = headers ?? {};
  return typeof traceparent === 'string' ? traceparent : null;
};

/** How often an event was tried: in vain, and without using up an attempt. */
interface Tries {
  attempt: number;
  wait: number;
}

const triesOf = ({ properties: { headers } }: ConsumeMessage): Tries => ({
  attempt: Number(headers?.['x-attempt'] ?? 0),
  wait: Number(headers?.['x-waits'] ?? 0),
});

const countTry = ({ attempt, wait }: Tries, told: Envelope, error: unknown): Tries =>
  waits(told, error) ? { attempt, wait: wait + 1 } : { attempt: attempt + 1, wait };

/** It uses up no attempt. */
const waits = (told: Envelope, error: unknown): boolean =>
  isOutage(error) || (maySucceedLater(error) && isYoung(told));

const maySucceedLater = (error: unknown): boolean =>
  error instanceof NotKnownYetError || isCutShort(error);

const isYoung = ({ occurredAt }: Envelope): boolean =>
  Date.now() - Date.parse(occurredAt) < patienceMs;
