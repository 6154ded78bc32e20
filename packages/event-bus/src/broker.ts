import { randomUUID } from 'node:crypto';
import { type Envelope, type EventType, routingKey, type ServiceName } from '@lendtools/contracts';
import { currentTraceparent, inSpan, type Logger } from '@lendtools/service-kit';
import type { ChannelModel, ConfirmChannel } from 'amqplib';
import { BrokerConnection } from './broker-connection.ts';
import { lengthsOf } from './dead-letters.ts';
import { declare, declareAll } from './declare.ts';
import {
  declarationsOf,
  hasSubscriber,
  producerOf,
  publishingExchange,
  type Topology,
  wholeTopology,
} from './topology.ts';

/** The broker is unreachable or did not accept the message. Retry later; the message is still in the outbox. */
class PublishError extends Error {}

interface BrokerOptions {
  url: string;
  logger: Logger;
  /** The service that owns these connections. */
  service: ServiceName;
  topology?: Topology;
  /** Whether to declare every service's queues, or only its own on a broker that was set up before. */
  declares?: 'all' | 'own';
  confirmTimeoutMs?: number;
}

/**
 * RabbitMQ over two connections that reconnect: one publishes, the other consumes. A broker short of disk or memory
 * stops reading from a connection that publishes, and acknowledgements must still get through. The topology and the
 * consumers are set up again on each new consuming connection. A service starts and serves while the broker is
 * unreachable.
 */
export class Broker {
  readonly topology: Topology;
  readonly service: ServiceName;
  readonly #options: BrokerOptions;
  readonly #consuming: BrokerConnection;
  readonly #publishing: BrokerConnection;
  readonly #setups: ((connection: ChannelModel) => Promise<void>)[] = [];
  readonly #readyListeners = new Set<() => void>();
  readonly #returned = new Set<string>();
  /** Rejects the pending confirms when the connection ends, because the broker will not reply to them. */
  readonly #awaited = new Set<(error: Error) => void>();
  readonly #sent = new Set<Promise<void>>();
  /** A promise for the next change of the connection's state: resolved and replaced at each change. */
  #change = Promise.withResolvers<void>();
  #publisher: ConfirmChannel | undefined;
  #isBlocked = false;
  #unblockedAtMs = 0;
  #isHurried = false;

  constructor(options: BrokerOptions) {
    const { url, logger, service } = options;
    this.#options = options;
    this.service = service;
    this.topology = options.topology ?? wholeTopology;
    this.#consuming = new BrokerConnection({
      url,
      logger,
      name: `${service} consumes`,
      open: (connection) => this.#openConsuming(connection),
      onOpen: () => this.#notifyChange(),
      onClosed: () => {},
    });
    this.#publishing = new BrokerConnection({
      url,
      logger,
      name: `${service} publishes`,
      open: (connection) => this.#openPublishing(connection),
      onOpen: () => this.#notifyChange(),
      onClosed: () => this.#dropPublisher(),
    });
  }

  get isConnected(): boolean {
    return this.#consuming.isOpen && this.#publishing.isOpen;
  }

  /** True while the broker is out of disk or memory and accepts no messages. */
  get isBlocked(): boolean {
    return this.#isBlocked;
  }

  get canPublish(): boolean {
    return this.#publisher !== undefined && !this.#isBlocked;
  }

  /** Adds a setup that runs on each new connection. Call it before `start`. */
  addSetup(setup: (connection: ChannelModel) => Promise<void>): void {
    this.#setups.push(setup);
  }

  /** Calls the listener after each reconnect, and when the broker accepts messages again. */
  onReady(listener: () => void): void {
    this.#readyListeners.add(listener);
  }

  /** Starts connecting in the background. */
  start(): void {
    this.#publishing.start();
    this.#consuming.start();
  }

  async whenConnected(): Promise<void> {
    while (!this.isConnected) await this.#change.promise;
  }

  /** Resolves once it can publish. @throws PublishError if the process stops first */
  async whenAbleToPublish(): Promise<void> {
    while (!this.canPublish) {
      if (this.#isHurried) throw new PublishError('The broker is blocked');
      await this.#change.promise;
    }
  }

  #notifyChange(): void {
    this.#change.resolve();
    this.#change = Promise.withResolvers();
    if (this.canPublish) for (const listener of this.#readyListeners) listener();
  }

  async #openConsuming(connection: ChannelModel): Promise<void> {
    if (this.#options.declares === 'own')
      await declare(connection, declarationsOf(this.service, this.topology));
    else await declareAll(connection, this.topology);
    for (const setup of this.#setups) await setup(connection);
  }

  async #openPublishing(connection: ChannelModel): Promise<void> {
    connection.on('blocked', (reason) => this.#setBlocked(true, reason));
    connection.on('unblocked', () => this.#setBlocked(false));
    // Wait for the declarations: while a new queue is missing, an event that another queue takes is not returned, and
    // the new queue would miss it.
    while (!this.#consuming.isOpen) await this.#change.promise;
    const publisher = await connection.createConfirmChannel();
    publisher.on('error', (error) =>
      this.#options.logger.warn({ err: error }, 'the publishing channel broke'),
    );
    publisher.once('close', () => this.#publishing.close());
    publisher.on('return', (message) => this.#returned.add(String(message.properties.messageId)));
    this.#publisher = publisher;
  }

  #setBlocked(isBlocked: boolean, reason?: string): void {
    this.#isBlocked = isBlocked;
    if (isBlocked) {
      this.#options.logger.warn({ reason }, 'the broker takes nothing now; events wait');
      if (this.#isHurried) this.#failAwaited('The broker is blocked');
    } else {
      this.#unblockedAtMs = Date.now();
      this.#options.logger.info('the broker takes events again');
    }
    this.#notifyChange();
  }

  #dropPublisher(): void {
    this.#publisher = undefined;
    this.#isBlocked = false;
    this.#returned.clear();
    this.#failAwaited('The connection ended');
    this.#notifyChange();
  }

  #failAwaited(reason: string): void {
    for (const fail of [...this.#awaited]) fail(new Error(reason));
  }

  /**
   * Publishes an event; resolves once the broker has stored it in every bound queue.
   * @throws PublishError if the broker is unreachable, rejects, times out, or a subscriber's queue is missing
   */
  async publishEvent(event: Envelope): Promise<void> {
    const type = event.type as EventType;
    const exchange = publishingExchange(producerOf(type));
    const span = {
      name: `publish ${type}`,
      kind: 'producer' as const,
      attributes: { 'messaging.system': 'rabbitmq', 'messaging.destination.name': exchange },
      parent: event.traceparent,
    };
    await inSpan(span, async () => {
      const traceparent = currentTraceparent() ?? event.traceparent;
      await this.publish(exchange, routingKey(type), Buffer.from(JSON.stringify(event)), {
        mandatory: hasSubscriber(this.topology, type),
        type,
        ...(traceparent && { headers: { traceparent } }),
      });
    });
  }

  /** Publishes a persistent message and waits for its confirm. @throws PublishError like `publishEvent` */
  async publish(
    exchange: string,
    key: string,
    content: Buffer,
    options: { mandatory?: boolean; type?: string; headers?: Record<string, unknown> } = {},
  ): Promise<void> {
    const publisher = this.#publisher;
    if (!publisher) throw new PublishError('The broker is unreachable');
    if (this.#isBlocked) throw new PublishError('The broker is blocked');
    const messageId = randomUUID();
    const sent = new Promise<void>((resolve, reject) => {
      const settle = (error: unknown): void => {
        clearTimeout(timer);
        this.#awaited.delete(settle);
        if (error)
          reject(new PublishError('The broker did not take the message', { cause: error }));
        else resolve();
      };
      // A message sent before the broker blocked is confirmed after it unblocks: giving up would publish it twice.
      const expire = (): void => {
        if (this.#isBlocked || Date.now() - this.#unblockedAtMs < timeoutMs)
          timer = setTimeout(expire, timeoutMs);
        else settle(new Error('No confirm in time'));
      };
      const timeoutMs = this.#options.confirmTimeoutMs ?? 10_000;
      let timer = setTimeout(expire, timeoutMs);
      this.#awaited.add(settle);
      try {
        publisher.publish(
          exchange,
          key,
          content,
          { persistent: true, contentType: 'application/json', messageId, ...options },
          settle,
        );
      } catch (error) {
        settle(error);
      }
    });
    this.#sent.add(sent);
    await sent.finally(() => this.#sent.delete(sent));
    if (this.#returned.delete(messageId)) {
      // The broker confirms an unroutable message too: a queue was deleted. Reconnecting declares it again if this
      // user may; otherwise the queue's own service does.
      if (this.#options.declares !== 'own') this.#consuming.close();
      throw new PublishError(`No queue took ${key}`);
    }
  }

  /** Returns the number of messages in each queue. @throws PublishError if the broker is unreachable */
  async lengthsOf(queues: readonly string[]): Promise<Map<string, number>> {
    const connection = this.#consuming.current;
    if (!connection) throw new PublishError('The broker is unreachable');
    const lengths = await lengthsOf(connection, queues);
    return new Map(queues.map((queue, i) => [queue, lengths[i] ?? 0]));
  }

  /** Stops waiting for a blocked broker: a stopping process cannot know how long that lasts. */
  hurry(): void {
    this.#isHurried = true;
    if (this.#isBlocked) this.#failAwaited('The broker is blocked');
    this.#notifyChange();
  }

  async stop(): Promise<void> {
    this.hurry();
    await Promise.allSettled(this.#sent);
    await Promise.all([this.#publishing.stop(), this.#consuming.stop()]);
  }
}
