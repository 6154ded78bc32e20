import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { flushCompileCache } from 'node:module';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { ConfigError } from './config.ts';
import { armFault } from './fault-points.ts';

/** A started process, as its `main.ts` and its tests use it. */
export interface Running {
  url: string;
  port: number;
  server: Server;
  /** Aborted once it stops: not ready any more, though it still answers. */
  stopping: AbortSignal;
  /**
   * For a moment, sends every caller to another replica while it still answers. A connection that closes unannounced
   * may have a request in transit.
   */
  drain(): Promise<void>;
  /** Finishes what is in progress and releases everything. */
  stop(): Promise<void>;
}

/**
 * How long a stopping replica still answers. Anyone who calls it once a second has learned from `Connection: close`
 * by then that it is leaving, and calls the others (`Upstreams`); anyone who calls less often is unlikely to hit the
 * moment it closes.
 */
export const drainMs = 1_000;
/** Of the 15 s of a stop; the rest is for what comes after the last reply. */
const finishWithinMs = 10_000;

/**
 * Listens, and returns once connections are taken. `stops` run in their order after the last reply. A service reads
 * more headers than the gateway's 16 kB, because the gateway adds some: a client that sends too many is refused
 * there.
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
    /** Aborted by the stop, for those who must know it before there is anything to stop. */
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
      // A reply that began before the stop leaves its connection open.
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
 * Runs a process until a signal, then stops it in order, or hard after 15 s: SIGTERM where others go on, so it drains
 * first; SIGINT (Ctrl-C) where everything ends. Configuration problems are printed without a stack.
 */
export const runProcess = async (start: () => Promise<Running>, fault?: string): Promise<void> => {
  armFault(fault);
  try {
    const running = await start();
    // Node writes its compile cache only as a process ends, and never for one that is killed.
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
 * Runs the work every `intervalMs`, never twice at once. A failure is logged, and the next turn tries again: while it
 * goes on failing, at intervals that double up to 10 s.
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
