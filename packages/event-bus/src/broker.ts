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

/** No broker, or it did not accept the message: try again later, the message is still in the outbox. */
class PublishError extends Error {}

interface BrokerOptions {
  url: string;
  logger: Logger;
  /** Whose connections these are. */
  service: ServiceName;
  topology?: Topology;
  /** What it declares: everybody's queues, or only its service's on a broker that was set up before. */
  declares?: 'all' | 'own';
  confirmTimeoutMs?: number;
}

/**
 * RabbitMQ, by two connections that come back by themselves: one publishes, the other consumes. A broker that is short
 * of disk or memory reads nothing more from a connection that publishes, and acknowledgements must go on then.
 * Everything that lives on the consuming one (the topology, consumers) is a setup that runs again on each new
 * connection. A service starts and serves while the broker is away.
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
  /** Pending confirms. A connection that ends leaves them unanswered, so its end fails them. */
  readonly #awaited = new Set<(error: Error) => void>();
  readonly #sent = new Set<Promise<void>>();
  /** Resolved and replaced with every change that somebody may wait for. */
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
      onOpen: () => this.#announce(),
      onClosed: () => {},
    });
    this.#publishing = new BrokerConnection({
      url,
      logger,
      name: `${service} publishes`,
      open: (connection) => this.#openPublishing(connection),
      onOpen: () => this.#announce(),
      onClosed: () => this.#forgetPublisher(),
    });
  }

  get isConnected(): boolean {
    return this.#consuming.isOpen && this.#publishing.isOpen;
  }

  /** The broker is out of disk or memory, and reads nothing that is published. */
  get isBlocked(): boolean {
    return this.#isBlocked;
  }

  get canPublish(): boolean {
    return this.#publisher !== undefined && !this.#isBlocked;
  }

  /** Runs on every new connection. Add setups before `start`. */
  addSetup(setup: (connection: ChannelModel) => Promise<void>): void {
    this.#setups.push(setup);
  }

  /** Whenever it is connected again, or accepts messages again. */
  onReady(listener: () => void): void {
    this.#readyListeners.add(listener);
  }

  /** Begins to connect, and goes on in the background. */
  start(): void {
    this.#publishing.start();
    this.#consuming.start();
  }

  async whenConnected(): Promise<void> {
    while (!this.isConnected) await this.#change.promise;
  }

  /** Resolves once it can publish. @throws PublishError when the process stops before. */
  async whenAbleToPublish(): Promise<void> {
    while (!this.canPublish) {
      if (this.#isHurried) throw new PublishError('The broker takes nothing');
      await this.#change.promise;
    }
  }

  #announce(): void {
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
    // What is published while a new queue is missing, and another takes it, is not returned: the new one would miss it.
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
      if (this.#isHurried) this.#failAwaited('The broker takes nothing');
    } else {
      this.#unblockedAtMs = Date.now();
      this.#options.logger.info('the broker takes events again');
    }
    this.#announce();
  }

  #forgetPublisher(): void {
    this.#publisher = undefined;
    this.#isBlocked = false;
    this.#returned.clear();
    this.#failAwaited('The connection ended');
    this.#announce();
  }

  #failAwaited(reason: string): void {
    for (const fail of [...this.#awaited]) fail(new Error(reason));
  }

  /**
   * Publishes an event; resolves once the broker has stored it in every bound queue.
   * @throws PublishError when it is down, refuses, does not answer in time, or a subscriber's queue is missing.
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

  /** Publishes a persistent message with a confirm. @throws PublishError as `publishEvent` does. */
  async publish(
    exchange: string,
    key: string,
    content: Buffer,
    options: { mandatory?: boolean; type?: string; headers?: Record<string, unknown> } = {},
  ): Promise<void> {
    const publisher = this.#publisher;
    if (!publisher) throw new PublishError('The broker is away');
    if (this.#isBlocked) throw new PublishError('The broker takes nothing now');
    const messageId = randomUUID();
    const sent = new Promise<void>((resolve, reject) => {
      const settle = (error: unknown): void => {
        clearTimeout(timer);
        this.#awaited.delete(settle);
        if (error)
          reject(new PublishError('The broker did not take the message', { cause: error }));
        else resolve();
      };
      // What was sent before the broker blocked is confirmed after it: given up, it would be published twice.
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
      // The broker confirms what it could not route: a queue was deleted. Connecting again declares it again, if
      // that is this user's to do; else its own service does.
      if (this.#options.declares !== 'own') this.#consuming.close();
      throw new PublishError(`No queue took ${key}`);
    }
  }

  /** How many messages each queue has. @throws PublishError when the broker is away. */
  async lengthsOf(queues: readonly string[]): Promise<Map<string, number>> {
    const connection = this.#consuming.current;
    if (!connection) throw new PublishError('The broker is away');
    const lengths = await lengthsOf(connection, queues);
    return new Map(queues.map((queue, i) => [queue, lengths[i] ?? 0]));
  }

  /** From now on nothing waits for a broker that accepts nothing: a stopping process can't know for how long. */
  hurry(): void {
    this.#isHurried = true;
    if (this.#isBlocked) this.#failAwaited('The broker takes nothing');
    this.#announce();
  }

  async stop(): Promise<void> {
    this.hurry();
    await Promise.allSettled(this.#sent);
    await Promise.all([this.#publishing.stop(), this.#consuming.stop()]);
  }
}
