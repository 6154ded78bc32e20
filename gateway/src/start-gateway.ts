import { randomUUID } from 'node:crypto';
import { addAbortSignal } from 'node:stream';
import { type Route, type ServiceName, serviceNames } from '@lendtools/contracts';
import {
  addHealth,
  addMetrics,
  answerErrors,
  answerNotFound,
  createLogger,
  createMetrics,
  listen,
  type Metrics,
  type Running,
} from '@lendtools/service-kit';
import express, { type Express } from 'express';
import { vouchForClient } from './client-address.ts';
import type { GatewayConfig } from './config.ts';
import { docsPage } from './docs-page.ts';
import { createProxy } from './proxy.ts';
import { routes } from './routes.ts';
import { securityHeaders } from './security-headers.ts';
import { site } from './site.ts';

type Proxies = Record<ServiceName, ReturnType<typeof createProxy>>;

const urlsOf = (config: GatewayConfig, service: ServiceName): string[] =>
  config[`${service.toUpperCase() as Uppercase<ServiceName>}_URL`];

/** Starts the one origin that browsers talk to: the API's routes, the live socket, the web app. */
export const startGateway = async (config: GatewayConfig): Promise<Running> => {
  const logger = createLogger('gateway', config.LOG_LEVEL);
  const metrics = createMetrics('gateway');
  const proxies = Object.fromEntries(
    serviceNames.map((service) => [service, createProxy(service, urlsOf(config, service), logger)]),
  ) as Proxies;

  const app = express();
  app.disable('x-powered-by').disable('etag');
  app.set('query parser', 'simple');
  app.use((request, response, next) => {
    const requestId = randomUUID();
    vouchForClient(request, config.TRUSTED_PROXY_HOPS, requestId);
    response.setHeader('X-Request-Id', requestId);
    next();
  });
  app.use(metrics.observe, securityHeaders(config));
  addRoutes(app, routes, proxies);
  app.use(docsPage(config.PUBLIC_URL));
  app.use('/api', answerNotFound);
  addHealth(app, async () => {
    if (running.stopping.aborted) throw new Error('stopping');
  });
  app.use(site(config.WEB_DIST));
  app.use(answerNotFound);
  app.use(answerErrors(logger));

  const stops = config.METRICS_PORT === undefined ? [] : [await listenForMetrics(config, metrics)];
  const at = { host: config.HOST, port: config.PORT, maxHeaderSize: 16_384 };
  const running = await listen(app, at, stops);
  running.server.on('upgrade', (request, socket, head) => {
    const isLive = request.url?.startsWith('/socket.io/');
    if (!isLive || running.stopping.aborted) return void socket.destroy();
    vouchForClient(request, config.TRUSTED_PROXY_HOPS, randomUUID());
    // It would keep the gateway from stopping; its browser comes again, to another.
    addAbortSignal(running.stopping, socket);
    proxies.notifications.upgrade(request, socket as never, head);
  });
  logger.info({ port: running.port }, 'listening');
  return running;
};

/** On a port of their own, because the gateway's is the public one. Returns what stops it. */
const listenForMetrics = async (
  config: GatewayConfig,
  metrics: Metrics,
): Promise<() => Promise<void>> => {
  const app = express();
  addMetrics(app, metrics);
  const running = await listen(app, { host: config.HOST, port: config.METRICS_PORT ?? 0 });
  return running.stop;
};

const addRoutes = (app: Express, table: readonly Route[], proxies: Proxies): void => {
  for (const { method, path, service } of table) {
    app[method.toLowerCase() as 'get' | 'post' | 'put' | 'delete'](
      path,
      (request, response, next) => proxies[service](request, response, next),
    );
  }
};
