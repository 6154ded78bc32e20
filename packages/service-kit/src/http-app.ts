import { randomUUID } from 'node:crypto';
import express, { type Express, type RequestHandler } from 'express';
import type { AuditLog } from './audit.ts';
import type { Authenticator } from './auth.ts';
import { runInContext } from './context.ts';
import type { BoundRoute } from './handle.ts';
import type { Logger } from './logging.ts';
import type { Metrics } from './metrics.ts';
import { handleErrors, handleNotFound } from './problem.ts';
import { traceRequests } from './tracing.ts';

interface AppOptions {
  logger: Logger;
  metrics: Metrics;
  authenticator: Authenticator;
  stopping: AbortSignal;
  /** Resolves to a description of what is degraded, if anything. Rejects while the service cannot work at all. */
  checkReady: () => Promise<string | undefined>;
  checkReplies?: boolean;
  internalSecrets?: readonly string[] | undefined;
  auditLog?: AuditLog | undefined;
}

export const createApp = (options: AppOptions, routes: BoundRoute[]): Express => {
  const app = express();
  app.disable('x-powered-by').disable('etag');
  app.set('query parser', 'simple');
  // Trust one hop: the gateway sets the client's address and removes forwarded headers that clients sent.
  app.set('trust proxy', 1);
  app.use(carryContext, traceRequests(), options.metrics.observe);
  addHealth(app, options);
  addMetrics(app, options.metrics);
  const { authenticator, checkReplies = false, internalSecrets, auditLog } = options;
  const bindOptions = { authenticator, checkReplies, internalSecrets, auditLog };
  for (const bound of routes) {
    const { method, path } = bound.route;
    const verb = method.toLowerCase() as 'get' | 'post' | 'put' | 'delete';
    app[verb](path, ...bound.bind(bindOptions));
  }
  app.use(handleNotFound);
  app.use(handleErrors(options.logger));
  return app;
};

const carryContext: RequestHandler = (request, response, next) => {
  const given = request.get('x-request-id');
  const correlationId = given && /^[\w-]{8,64}$/.test(given) ? given : randomUUID();
  response.setHeader('X-Request-Id', correlationId);
  response.setHeader('X-Content-Type-Options', 'nosniff');
  runInContext({ correlationId, causationId: null }, next);
};

/** `/livez` depends on nothing; `/readyz` queries the service's own database. */
export const addHealth = (
  app: Express,
  { stopping, checkReady }: Pick<AppOptions, 'stopping'> & Partial<AppOptions>,
): void => {
  app.get('/livez', (_request, response) => {
    response.json({ status: 'alive' });
  });
  app.get('/readyz', async (_request, response) => {
    try {
      if (stopping.aborted) throw new Error('stopping');
      const degraded = await checkReady?.();
      response.json({ status: 'ready', ...(degraded && { degraded }) });
    } catch (error) {
      response.status(503).json({ status: 'not ready', reason: (error as Error).message });
    }
  });
};

export const addMetrics = (app: Express, { registry }: Metrics): void => {
  app.get('/metrics', async (_request, response) => {
    response.type(registry.contentType).send(await registry.metrics());
  });
};
