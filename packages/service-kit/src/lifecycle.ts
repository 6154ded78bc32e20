import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { flushCompileCache } from 'node:module';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { ConfigError } from './config.ts';
import { armFault } from './fault-points.ts';

/** A started process, for its `main.ts` and its tests. */
export interface Running {
  url: string;
  port: number;
  server: Server;
  /** Aborted when the stop begins: the process is no longer ready, but still replies. */
  stopping: AbortSignal;
  /**
   * Marks the process as not ready, then keeps replying for a moment while callers move to other replicas. Closing
   * connections unannounced could lose a request in transit.
   */
  drain(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * How long a stopping replica keeps replying. By then, a client that calls it at least once a second has seen
 * `Connection: close` and moved to another replica (`Upstreams`). A client that calls less often is unlikely to hit
 * the moment of closing.
 */
export const drainMs = 1_000;
/** Out of the 15 s for a stop; the rest is for the `stops` after the last reply. */
const finishWithinMs = 10_000;

/**
 * Starts listening. On stop, `stops` run in order after the last reply. The header limit is above the gateway's 16 kB
 * because the gateway adds headers; a client that sends too many is rejected there.
 */
export const listen = async (
  app: RequestListener,
  {
    host,
    port,
    maxHeaderSize = 32_768,
    headersTimeout = 60_000,
    stopping = new AbortController(),
  }: {
    host: string;
    port: number;
    maxHeaderSize?: number;
    headersTimeout?: number;
    /** Aborted when the stop begins. Pass your own if you need the signal before `listen` returns. */
    stopping?: AbortController;
  },
  stops: (() => Promise<unknown> | unknown)[] = [],
): Promise<Running> => {
  const options = {
    keepAliveTimeout: 75_000,
    requestTimeout: 120_000,
    headersTimeout,
    connectionsCheckingInterval: 5_000,
    maxHeaderSize,
  };
  const server = createServer(options, (request, response) => {
    if (stopping.signal.aborted) response.shouldKeepAlive = false;
    app(request, response);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const address = server.address() as AddressInfo;
  return {
    url: `http://${host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host}:${address.port}`,
    port: address.port,
    server,
    stopping: stopping.signal,
    async drain() {
      stopping.abort();
      await delay(drainMs);
    },
    async stop() {
      stopping.abort();
      const closed = new Promise((resolve) => server.close(resolve));
      // Connections whose last reply began before the stop stay open, so close them when idle.
      const sweep = setInterval(() => server.closeIdleConnections(), 50);
      const hurry = setTimeout(() => server.closeAllConnections(), finishWithinMs);
      await closed;
      clearInterval(sweep);
      clearTimeout(hurry);
      for (const stop of stops) await stop();
    },
  };
};

const stopWithinMs = 15_000;

/**
 * Runs a process until SIGTERM or SIGINT, then stops it in order, or exits after 15 s. SIGTERM drains first because
 * other replicas keep running; SIGINT (Ctrl-C) does not. A ConfigError is printed without its stack.
 */
export const runProcess = async (start: () => Promise<Running>, fault?: string): Promise<void> => {
  armFault(fault);
  try {
    const running = await start();
    // Node writes its compile cache only on a normal exit, so a killed process would never write it.
    flushCompileCache();
    const signal = await Promise.race(
      ['SIGTERM', 'SIGINT'].map((name) => once(process, name).then(() => name)),
    );
    setTimeout(() => process.exit(1), stopWithinMs).unref();
    if (signal === 'SIGTERM') await running.drain();
    await running.stop();
    process.exit(0);
  } catch (error) {
    console.error(error instanceof ConfigError ? error.message : error);
    process.exit(1);
  }
};

const longestPauseMs = 10_000;

/**
 * Runs the work every `intervalMs`, never twice at once. After a failure it calls `onError` and backs off: the
 * interval doubles up to 10 s until a run succeeds.
 */
export const repeat = (
  intervalMs: number,
  work: () => Promise<unknown>,
  onError: (error: unknown) => void,
): { stop(): Promise<void> } => {
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve<unknown>(undefined);
  let stopped = false;
  let pauseMs = intervalMs;
  const turn = (): void => {
    running = work()
      .then(
        () => {
          pauseMs = intervalMs;
        },
        (error: unknown) => {
          pauseMs = Math.max(intervalMs, Math.min(2 * pauseMs, longestPauseMs));
          onError(error);
        },
      )
      .finally(() => {
        if (!stopped) timer = setTimeout(turn, pauseMs);
      });
  };
  timer = setTimeout(turn, intervalMs);
  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
};
