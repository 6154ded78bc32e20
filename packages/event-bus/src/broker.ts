import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type Envelope, type EventType, routingKey } from '@lendtools/contracts';
import type { Logger } from '@lendtools/service-kit';
import { type Channel, type ChannelModel, type ConfirmChannel, connect } from 'amqplib';
import {
  declareTopology,
  eventsExchange,
  hasSubscriber,
  type Topology,
  wholeTopology,
} from './topology.ts';

/** No broker, or it did not take the message: try again later, the message is still in the outbox. */
export class PublishError extends Error {}

export interface BrokerOptions {
  url: string;
  logger: Logger;
  topology?: Topology;
  confirmTimeoutMs?: number;
}

const heartbeatSeconds = 5;
const reconnectDelaysMs = [100, 250, 500, 1_000, 2_000, 5_000];

/**
 * One connection to RabbitMQ that comes back by itself. Everything that lives on it (the topology, consumers) is a
 * setup that runs again on each new connection. A service starts and serves while the broker is away.
 */
export class Broker {
  readonly topology: Topology;
  readonly #options: BrokerOptions;
  readonly #setups: ((connection: ChannelModel) => Promise<void>)[] = [];
  readonly #connectedListeners = new Set<() => void>();
  readonly #returned = new Set<string>();
  /** Confirms that are awaited. A connection that ends leaves them unanswered, so its end fails them. */
  readonly #awaited = new Set<(error: unknown) => void>();
  #connection: ChannelModel | undefined;
  #publisher: ConfirmChannel | undefined;
  #stopped = false;
  #loop: Promise<void> | undefined;

  constructor(options: BrokerOptions) {
    this.#options = options;
    this.topology = options.topology ?? wholeTopology;
  }

  get isConnected(): boolean {
    return this.#publisher !== undefined;
  }

  /** Runs now if connected, and again on every new connection. Add setups before `start`. */
  addSetup(setup: (connection: ChannelModel) => Promise<void>): void {
    this.#setups.push(setup);
  }

  onConnected(listener: () => void): void {
    this.#connectedListeners.add(listener);
  }

  /** Begins to connect, and goes on in the background. */
  start(): void {
    this.#loop ??= this.#keepConnected();
  }

  async whenConnected(): Promise<void> {
    if (this.isConnected) return;
    await new Promise<void>((resolve) => this.#connectedListeners.add(resolve));
  }

  async #keepConnected(): Promise<void> {
    for (let attempt = 0; !this.#stopped; attempt++) {
      try {
        await this.#connectUntilClosed();
        attempt = 0;
        if (!this.#stopped) this.#options.logger.warn('the broker went away');
      } catch (error) {
        if (attempt % 10 === 0)
          this.#options.logger.warn({ err: error }, 'the broker cannot be reached');
      }
      this.#publisher = undefined;
      this.#close();
      this.#connection = undefined;
      for (const fail of this.#awaited) fail(new Error('The connection ended'));
      if (!this.#stopped)
        await delay(reconnectDelaysMs[Math.min(attempt, reconnectDelaysMs.length - 1)]);
    }
  }

  async #connectUntilClosed(): Promise<void> {
    const url = new URL(this.#options.url);
    url.searchParams.set('heartbeat', String(heartbeatSeconds));
    // Without noDelay a publish and an ack on one connection stall for 40 ms.
    const connection = await connect(url.toString(), { noDelay: true, timeout: 5_000 });
    this.#connection = connection;
    connection.on('error', (error) =>
      this.#options.logger.warn({ err: error }, 'the broker connection broke'),
    );
    const closed = new Promise<void>((resolve) => connection.once('close', () => resolve()));
    // Stopped while it connected, it had no connection to close.
    if (this.#stopped) return this.#close();

    const publisher = await connection.createConfirmChannel();
    publisher.on('error', (error) =>
      this.#options.logger.warn({ err: error }, 'the publishing channel broke'),
    );
    publisher.once('close', () => this.#close());
    publisher.on('return', (message) => this.#returned.add(String(message.properties.messageId)));
    await declareTopology(publisher as Channel, this.topology);
    // Before the consumers: one that has a message to put aside publishes, and would end this connection if it couldn't.
    this.#publisher = publisher;
    for (const setup of this.#setups) await setup(connection);
    for (const listener of this.#connectedListeners) listener();
    await closed;
  }

  /**
   * Publishes an event; resolves once the broker has it safe in every bound queue.
   * @throws PublishError when it is away, refuses, does not answer in time, or a subscriber's queue is missing.
   */
  async publishEvent(event: Envelope): Promise<void> {
    const type = event.type as EventType;
    await this.publish(eventsExchange, routingKey(type), Buffer.from(JSON.stringify(event)), {
      mandatory: hasSubscriber(this.topology, type),
      type,
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
    const messageId = randomUUID();
    await new Promise<void>((resolve, reject) => {
      const timeoutMs = this.#options.confirmTimeoutMs ?? 10_000;
      const timer = setTimeout(() => settle(new Error('No confirm in time')), timeoutMs);
      const settle = (error: unknown): void => {
        clearTimeout(timer);
        this.#awaited.delete(settle);
        if (error)
          reject(new PublishError('The broker did not take the message', { cause: error }));
        else resolve();
      };
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
    if (this.#returned.delete(messageId)) {
      // The broker confirms what it could not route: a queue was deleted. Connecting again declares it again.
      this.#close();
      throw new PublishError(`No queue took ${key}`);
    }
  }

  /** Never awaited: closing what is closed already answers nothing; the loop waits for the 'close' event instead. */
  #close(): void {
    void this.#connection?.close().catch(() => {});
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#publisher?.waitForConfirms().catch(() => {});
    this.#close();
    await this.#loop;
  }
}
