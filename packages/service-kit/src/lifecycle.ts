import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { flushCompileCache } from 'node:module';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { ConfigError } from './config.ts';
import { armFault } from './fault-points.ts';

export interface Running {
  url: string;
  port: number;
  server: Server;
  /** Aborted when the shutdown begins: the process then reports "not ready", but still replies. */
  stopping: AbortSignal;
  /**
   * Reports "not ready" but still replies for a moment, so that callers move to other replicas without losing requests.
   */
  drain(): Promise<void>;
  stop(): Promise<void>;
}

/** A stopping replica replies for this long. Clients that call it every second see `Connection: close` and move on. */
export const drainMs = 1_000;
/** The last reply must end within this time. A shutdown may take 15 s in all; the time left is for work after that reply. */
const finishWithinMs = 10_000;

/**
 * Starts an HTTP server. On shutdown, the functions in `stops` run in order after the last reply. The server allows larger headers than
 * the gateway, because the gateway adds some.
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
    /** Pass a controller if you need its signal before `listen` returns. */
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
      // A connection whose last reply began before the shutdown stays open, so close it once it is idle.
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
 * Runs a process until SIGTERM or SIGINT, then stops it within 15 s. Drains only on SIGTERM: after Ctrl-C no
 * other replica is left to take over.
 */
export const runProcess = async (start: () => Promise<Running>, fault?: string): Promise<void> => {
  armFault(fault);
  try {
    const running = await start();
    // Node writes its compile cache only on a normal exit; a process that is killed would never write it.
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

/** Runs the work every `intervalMs`, never twice at once. While it fails, the interval doubles up to 10 s. */
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
