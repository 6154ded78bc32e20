import type { AddressInfo } from 'node:net';
import express, { type NextFunction, type Request, type Response } from 'express';
import { type Keys, requireAnyKey, requireIntentAccess, requireSecretKey } from './authenticate.ts';
import { createExecutor } from './execute.ts';
import { createFaults } from './faults.ts';
import { API_VERSION } from './objects.ts';
import { startRefundClock } from './refund-clock.ts';
import { apiRoutes } from './routes.ts';
import { standInScript } from './stand-in-script.ts';
import { openStore } from './store.ts';
import { StripeError } from './stripe-error.ts';
import { startWebhooks } from './webhooks.ts';

interface SandboxOptions extends Keys {
  webhookSecret: string;
  /** The URL to which events are sent; without it they wait until one is set. */
  webhookUrl?: string | undefined;
  dataDir: string;
  port?: number;
  host?: string;
  retryDelaysMs?: number[];
  webhookTimeoutMs?: number;
  /** How long a refund to a card such as pm_card_pendingRefund keeps its first status. */
  refundDelayMs?: number;
}

export interface Sandbox {
  /** The address for the `stripe` SDK and for the script, such as http://127.0.0.1:4242. */
  url: string;
  port: number;
  /** Sets the webhook endpoint later, and delivers waiting events. */
  sendWebhooksTo(url: string): void;
  close(): Promise<void>;
}

const RETRY_DELAYS_MS = [250, 500, 1000, 2000, 4000, 8000, 15_000];

export async function createSandbox(options: SandboxOptions): Promise<Sandbox> {
  const store = openStore(options.dataDir);
  const faults = createFaults();
  const stopping = new AbortController();
  const webhooks = startWebhooks(store, faults, {
    url: options.webhookUrl,
    secrets: [options.webhookSecret],
    retryDelaysMs: options.retryDelaysMs ?? RETRY_DELAYS_MS,
    timeoutMs: options.webhookTimeoutMs ?? 10_000,
  });
  const refunds = startRefundClock(store, {
    delayMs: options.refundDelayMs ?? 5_000,
    onEvent: webhooks.send,
  });
  const execute = createExecutor({
    store,
    faults,
    secretKey: options.secretKey,
    onEvent(event) {
      webhooks.send(event);
      refunds.onEvent(event);
    },
    stopping: stopping.signal,
  });

  const app = express();
  app.disable('x-powered-by');
  app.set('query parser', 'extended');
  app.set('etag', false);
  app.use(allowBrowsers);
  app.get(['/v3', '/v3/'], standInScript());
  app.get('/livez', (_req, res) => void res.json({ status: 'ok' }));
  app.use(express.urlencoded({ extended: true, limit: '100kb' }), express.json({ limit: '100kb' }));
  app.use(
    apiRoutes({
      execute,
      keys: options,
      store,
      faults,
      webhooks,
      guards: {
        secret: requireSecretKey(options),
        any: requireAnyKey(options),
        intent: requireIntentAccess(options, store),
      },
    }),
  );
  app.use((req: Request) => {
    throw new StripeError(404, {
      type: 'invalid_request_error',
      message: `Unrecognized request URL (${req.method}: ${req.path}). The sandbox implements only part of Stripe's API.`,
    });
  });
  app.use(answerError);

  const server = app.listen(options.port ?? 0, options.host ?? '127.0.0.1');
  server.keepAliveTimeout = 65_000;
  await new Promise<void>((resolve, reject) => {
    server.once('listening', resolve);
    server.once('error', reject);
  });
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://${options.host ?? '127.0.0.1'}:${port}`,
    port,
    sendWebhooksTo: webhooks.sendTo,
    async close() {
      stopping.abort();
      webhooks.stop();
      refunds.stop();
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
      await store.close();
    },
  };
}

function allowBrowsers(req: Request, res: Response, next: NextFunction): void {
  res.set({
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'GET, POST, DELETE',
    'access-control-allow-headers': 'authorization, content-type, idempotency-key, stripe-version',
    'access-control-max-age': '600',
    'stripe-version': API_VERSION,
    'cache-control': 'no-store',
  });
  if (req.method === 'OPTIONS') res.sendStatus(204);
  else next();
}

/** The last middleware: replies with Stripe's error shape, and with a constant message for unexpected errors. */
function answerError(error: unknown, req: Request, res: Response, next: NextFunction): void {
  if (res.headersSent || req.socket.destroyed) next(error);
  else {
    const problem = error instanceof StripeError ? error : unexpected(error);
    res.status(problem.status).json({ error: problem.body });
  }
}

function unexpected(error: unknown): StripeError {
  const status = (error as { status?: number }).status ?? 500;
  if (status < 500)
    return new StripeError(status, { type: 'invalid_request_error', message: 'Invalid request.' });
  console.error(error);
  return new StripeError(500, { type: 'api_error', message: 'An unknown error occurred' });
}
