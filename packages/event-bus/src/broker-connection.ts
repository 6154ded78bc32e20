import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@lendtools/service-kit';
import { type ChannelModel, connect } from 'amqplib';
import { reconnectDelayMs } from './reconnect-delay.ts';

interface ConnectionOptions {
  url: string;
  logger: Logger;
  /** The connection's name on RabbitMQ's management page. */
  name: string;
  open: (connection: ChannelModel) => Promise<void>;
  onOpen: () => void;
  onClosed: () => void;
}

const heartbeatSeconds = 5;

export class BrokerConnection {
  readonly #options: ConnectionOptions;
  #connection: ChannelModel | undefined;
  #isOpen = false;
  #stopped = false;
  #loop: Promise<void> | undefined;

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  get current(): ChannelModel | undefined {
    return this.#isOpen ? this.#connection : undefined;
  }

  start(): void {
    this.#loop ??= this.#keepOpen();
  }

  /** Closes the connection, so that a new one is made. Not awaited: closing a closed connection never settles. */
  close(): void {
    void this.#connection?.close().catch(() => {});
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.close();
    await this.#loop;
  }

  async #keepOpen(): Promise<void> {
    const { logger, name } = this.#options;
    for (let attempt = 0; !this.#stopped; attempt++) {
      try {
        await this.#openUntilClosed();
        attempt = 0;
        if (!this.#stopped) logger.warn({ connection: name }, 'the broker went away');
      } catch (error) {
        if (attempt % 10 === 0)
          logger.warn({ err: error, connection: name }, 'the broker cannot be reached');
      }
      this.#isOpen = false;
      this.close();
      this.#connection = undefined;
      this.#options.onClosed();
      if (!this.#stopped) await delay(reconnectDelayMs(attempt));
    }
  }

  async #openUntilClosed(): Promise<void> {
    const { logger, name } = this.#options;
    const url = new URL(this.#options.url);
    url.searchParams.set('heartbeat', String(heartbeatSeconds));
    // Without noDelay, a publish and an ack on the same connection stall for 40 ms.
    const connection = await connect(url.toString(), {
      noDelay: true,
      timeout: 5_000,
      clientProperties: { connection_name: name },
    });
    this.#connection = connection;
    connection.on('error', (error) =>
      logger.warn({ err: error, connection: name }, 'the broker connection broke'),
    );
    const closed = new Promise<void>((resolve) => connection.once('close', () => resolve()));
    // `stop` was called while this method was connecting.
    if (this.#stopped) return this.close();

    // Wait for the connection's end too: if it ends while a channel closes, the channel's promise never settles.
    const ended = closed.then(() => Promise.reject(new Error('The connection ended')));
    await Promise.race([this.#options.open(connection), ended]);
    this.#isOpen = true;
    this.#options.onOpen();
    await closed;
  }
}
