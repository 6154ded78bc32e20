import type { AddressInfo } from 'node:net';
import express, {
  type Express,
  type NextFunction,
  type Request,
  type Response,
  type Router,
} from 'express';
import { type Keys, requireAnyKey, requireIntentAccess, requireSecretKey } from './authenticate.ts';
import { startChargeClock } from './charge-clock.ts';
import { startClock } from './clock.ts';
import { createExecutor } from './execute.ts';
import { createFaults } from './faults.ts';
import { API_VERSION, type StripeEvent } from './objects.ts';
import { startPayoutClock } from './payout-clock.ts';
import { startRefundClock } from './refund-clock.ts';
import { apiRoutes } from './routes.ts';
import { standInScript } from './stand-in-script.ts';
import { openStore } from './store.ts';
import { StripeError } from './stripe-error.ts';
import { type EndpointKind, startWebhooks } from './webhooks.ts';

export interface SandboxOptions extends Keys {
  webhookSecret: string;
  /** Without a URL, events wait until one is set. */
  webhookUrl?: string | undefined;
  /** The endpoint for events about connected accounts. Without it, these events wait. */
  connectWebhook?: { url: string; secret: string } | undefined;
  dataDir: string;
  port?: number;
  host?: string;
  retryDelaysMs?: number[];
  webhookTimeoutMs?: number;
  /**
   * How long a refund keeps its first status, for test cards whose refunds change later, and how often a refund that waits
   * for the balance is tried again.
   */
  refundDelayMs?: number;
  /** How long the money of a charge stays pending. By default it is available at once. */
  fundsDelaySeconds?: number;
  /** How long a charge lacks its balance transaction, for the test card that delays it. */
  captureDelayMs?: number;
  /** How long connected accounts keep available money, and how long a payout then takes. */
  payoutDelayMs?: number;
}

export interface Sandbox {
  url: string;
  port: number;
  sendWebhooksTo(url: string, kind?: EndpointKind): void;
  close(): Promise<void>;
}

const RETRY_DELAYS_MS = [250, 500, 1000, 2000, 4000, 8000, 15_000];

export async function createSandbox(options: SandboxOptions): Promise<Sandbox> {
  const store = openStore(options.dataDir, {
    fundsDelaySeconds: options.fundsDelaySeconds ?? 0,
    refundsWait: false,
  });
  const faults = createFaults();
  const stopping = new AbortController();
  const webhooks = startWebhooks(store, faults, {
    endpoints: {
      account: { url: options.webhookUrl, secrets: [options.webhookSecret] },
      connect: {
        url: options.connectWebhook?.url,
        secrets: options.connectWebhook ? [options.connectWebhook.secret] : [],
      },
    },
    retryDelaysMs: options.retryDelaysMs ?? RETRY_DELAYS_MS,
    timeoutMs: options.webhookTimeoutMs ?? 10_000,
  });
  const handlers = [webhooks.send];
  const onEvent = (event: StripeEvent) => {
    for (const handle of handlers) handle(event);
  };
  const clock = startClock(store, onEvent);
  handlers.push(
    startRefundClock(store, clock, options.refundDelayMs ?? 5_000),
    startChargeClock(store, clock, options.captureDelayMs ?? 5_000),
    startPayoutClock(store, clock, options.payoutDelayMs ?? 60_000),
  );
  const execute = createExecutor({
    store,
    faults,
    secretKey: options.secretKey,
    onEvent,
    stopping: stopping.signal,
  });

  const guards = {
    secret: requireSecretKey(options),
    any: requireAnyKey(options),
    intent: requireIntentAccess(options, store),
  };
  const app = createApp(apiRoutes({ execute, keys: options, store, faults, webhooks, guards }));
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
      clock.stop();
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
      await store.close();
    },
  };
}

function createApp(routes: Router): Express {
  const app = express();
  app.disable('x-powered-by');
  app.set('query parser', 'extended');
  app.set('etag', false);
  app.use(allowBrowsers);
  app.get(['/v3', '/v3/'], standInScript());
  app.get('/livez', (_req, res) => void res.json({ status: 'ok' }));
  app.use(express.urlencoded({ extended: true, limit: '100kb' }), express.json({ limit: '100kb' }));
  app.use(routes);
  app.use((req: Request) => {
    throw new StripeError(404, {
      type: 'invalid_request_error',
      message: `Unrecognized request URL (${req.method}: ${req.path}). The sandbox implements only part of Stripe's API.`,
    });
  });
  app.use(answerError);
  return app;
}

function allowBrowsers(req: Request, res: Response, next: NextFunction): void {
  res.set({
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'GET, POST, DELETE',
    'access-control-allow-headers':
      'authorization, content-type, idempotency-key, stripe-account, stripe-version',
    'access-control-max-age': '600',
    'stripe-version': API_VERSION,
    'cache-control': 'no-store',
  });
  if (req.method === 'OPTIONS') res.sendStatus(204);
  else next();
}

/** Replies with Stripe's error shape, and with a constant message for unexpected errors. */
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
