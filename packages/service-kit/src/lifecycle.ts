import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ConfigError } from './config.ts';
import { armFault } from './fault-points.ts';

/** A started process, as its `main.ts` and its tests hold it. */
export interface Running {
  url: string;
  port: number;
  server: Server;
  /** Finishes what is under way and lets go of everything. */
  stop(): Promise<void>;
}

/** Listens, and returns once connections are taken. `stops` run in their order after the last reply. */
export const listen = async (
  app: RequestListener,
  { host, port }: { host: string; port: number },
  stops: (() => Promise<unknown> | unknown)[] = [],
): Promise<Running> => {
  const server = createServer({ keepAliveTimeout: 75_000, requestTimeout: 120_000 }, app);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const address = server.address() as AddressInfo;
  return {
    url: `http://${host === '0.0.0.0' ? '127.0.0.1' : host}:${address.port}`,
    port: address.port,
    server,
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeIdleConnections();
      const hurry = setTimeout(() => server.closeAllConnections(), 5_000);
      await closed;
      clearTimeout(hurry);
      for (const stop of stops) await stop();
    },
  };
};

const stopWithinMs = 15_000;

/**
 * Runs a process until SIGTERM or SIGINT, then stops it in order, or hard after 15 s. Configuration problems are
 * printed without a stack.
 */
export const runProcess = async (start: () => Promise<Running>, fault?: string): Promise<void> => {
  armFault(fault);
  try {
    const running = await start();
    const stop = (): void => {
      setTimeout(() => process.exit(1), stopWithinMs).unref();
      running.stop().then(
        () => process.exit(0),
        () => process.exit(1),
      );
    };
    process.once('SIGTERM', stop);
    process.once('SIGINT', stop);
  } catch (error) {
    console.error(error instanceof ConfigError ? error.message : error);
    process.exit(1);
  }
};

/** Runs the work every `intervalMs`, never twice at once; a failure is told and the next turn tries again. */
export const repeat = (
  intervalMs: number,
  work: () => Promise<unknown>,
  onError: (error: unknown) => void,
): { stop(): Promise<void> } => {
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve<unknown>(undefined);
  let stopped = false;
  const turn = (): void => {
    running = work()
      .catch(onError)
      .finally(() => {
        if (!stopped) timer = setTimeout(turn, intervalMs);
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
