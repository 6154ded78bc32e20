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

/** Publishing failed. The message is still in the outbox, so it can be published later. */
class PublishError extends Error {}

interface BrokerOptions {
  url: string;
  logger: Logger;
  service: ServiceName;
  topology?: Topology;
  /** `own`: declares only this service's queues, because the command `set-up-broker` has declared those of all services. */
  declares?: 'all' | 'own';
  confirmTimeoutMs?: number;
}

/**
 * Uses two connections to RabbitMQ: a broker short of disk or memory stops reading from connections that publish, and
 * acknowledgements must still get through. Both reconnect. Each new consuming connection sets up the topology and the consumers. A
 * service starts and serves while the broker is unreachable.
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
  /** Functions that reject pending confirms: once the connection ends, the broker will not send them. */
  readonly #awaited = new Set<(error: Error) => void>();
  readonly #sent = new Set<Promise<void>>();
  /** Resolves at the next change of a connection's state, and is then replaced. */
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

  /** Adds a function that runs for each new consuming connection. Call this before `start`. */
  addSetup(setup: (connection: ChannelModel) => Promise<void>): void {
    this.#setups.push(setup);
  }

  /** The listener runs after each reconnect, and when the broker accepts messages again. */
  onReady(listener: () => void): void {
    this.#readyListeners.add(listener);
  }

  start(): void {
    this.#publishing.start();
    this.#consuming.start();
  }

  async whenConnected(): Promise<void> {
    while (!this.isConnected) await this.#change.promise;
  }

  /** @throws PublishError if the process stops first */
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
    // Wait until new queues are declared. The broker reports an event as unroutable only if no queue takes it, so an event
    // published earlier could reach the old queues and silently miss a new one.
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
   * Resolves once the broker has stored the event in every bound queue.
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

  /** Resolves once the persistent message is confirmed. @throws PublishError like `publishEvent` */
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
      // No message times out while the broker is blocked: the broker confirms a message sent before the block once it unblocks, so
      // a timeout during the block would publish that message twice.
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
      // The broker has returned the message, because a queue was deleted (it confirms unroutable messages too). Reconnecting
      // declares the queue again; with `own`, the queue's service does.
      if (this.#options.declares !== 'own') this.#consuming.close();
      throw new PublishError(`No queue took ${key}`);
    }
  }

  /** @throws PublishError if the broker is unreachable */
  async lengthsOf(queues: readonly string[]): Promise<Map<string, number>> {
    const connection = this.#consuming.current;
    if (!connection) throw new PublishError('The broker is unreachable');
    const lengths = await lengthsOf(connection, queues);
    return new Map(queues.map((queue, i) => [queue, lengths[i] ?? 0]));
  }

  /** Stops waiting for a blocked broker, because a block may outlast the time that a stopping process has. */
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
