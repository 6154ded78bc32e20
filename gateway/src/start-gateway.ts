import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import { addAbortSignal } from 'node:stream';
import {
  pages,
  type Route,
  type ServiceName,
  serviceNames,
  routes as table,
} from '@lendtools/contracts';
import {
  addHealth,
  addMetrics,
  createLogger,
  createMetrics,
  handleErrors,
  handleNotFound,
  listen,
  type Metrics,
  type Running,
  runInContext,
  startTracing,
  stopTracing,
  traceRequests,
  unavailable,
} from '@lendtools/service-kit';
import express, { type Express, type RequestHandler } from 'express';
import { watchArrivingBodies } from './arriving-bodies.ts';
import { clientAddress, vouchForClient } from './client-address.ts';
import type { GatewayConfig } from './config.ts';
import { watchDepartingReplies } from './departing-replies.ts';
import { docsPage } from './docs-page.ts';
import { NetworkShares } from './network-shares.ts';
import { createProxy } from './proxy.ts';
import { limitReads } from './request-budget.ts';
import { routes } from './routes.ts';
import { securityHeaders } from './security-headers.ts';
import { site } from './site.ts';
import type { AddressSet } from './trusted-proxies.ts';

type Upstreams = Record<ServiceName, ReturnType<typeof createProxy>>;

const urlsOf = (config: GatewayConfig, service: ServiceName): string[] =>
  config[`${service.toUpperCase() as Uppercase<ServiceName>}_URL`];

export const startGateway = async (config: GatewayConfig): Promise<Running> => {
  await startTracing('gateway', config);
  const logger = createLogger('gateway', config.LOG_LEVEL);
  const metrics = createMetrics('gateway');
  const upstreams = Object.fromEntries(
    serviceNames.map((service) => [service, createProxy(service, urlsOf(config, service), logger)]),
  ) as Upstreams;

  const { TRUSTED_PROXIES: proxies, CONNECTIONS_PER_NETWORK: share } = config;
  const connections = new NetworkShares(share);
  const liveSockets = new NetworkShares(Math.ceil(share / 2));
  const replies = watchDepartingReplies();
  const bodies = watchArrivingBodies(new NetworkShares(Math.ceil(share / 32)));

  const stopping = new AbortController();
  const app = express();
  app.disable('x-powered-by').disable('etag');
  app.set('query parser', 'simple');
  app.use((request, response, next) => {
    const requestId = randomUUID();
    vouchForClient(request, proxies, requestId);
    response.setHeader('X-Request-Id', requestId);
    runInContext({ correlationId: requestId, causationId: null }, next);
  });
  app.use(traceRequests({ begin: true }), metrics.observe, securityHeaders(config));
  app.use(limitProxied(connections, proxies), replies.watch, bodies.watch);
  app.post(pages.unsubscribe, toUnsubscribeRoute);
  addRoutes(app, routes, upstreams, limitReads(config.RATE_LIMIT_FACTOR));
  app.use(docsPage(config.PUBLIC_URL));
  app.use('/api', handleNotFound);
  addHealth(app, { stopping: stopping.signal });
  app.use(site(config));
  app.use(handleNotFound);
  app.use(handleErrors(logger));

  const stops = config.METRICS_PORT === undefined ? [] : [await listenForMetrics(config, metrics)];
  const at = { host: config.HOST, port: config.PORT };
  const limits = { maxHeaderSize: 16_384, headersTimeout: 15_000 };
  const running = await listen(app, { ...at, ...limits, stopping }, [
    bodies.stop,
    replies.stop,
    ...stops,
    stopTracing,
  ]);
  limitConnections(running.server, connections, proxies);
  running.server.on('upgrade', (request, socket, head) => {
    const isLive = request.url?.startsWith('/socket.io/');
    if (!isLive || stopping.signal.aborted) return void socket.destroy();
    const release = liveSockets.take(clientAddress(request, proxies));
    if (!release) return void socket.end('HTTP/1.1 503 Service Unavailable\r\n\r\n');
    socket.once('close', release);
    vouchForClient(request, proxies, randomUUID());
    // Close the WebSocket when the gateway stops: an open socket would keep it running. The browser reconnects to another gateway.
    addAbortSignal(stopping.signal, socket);
    upstreams.notifications.upgrade(request, socket as never, head);
  });
  logger.info({ port: running.port }, 'listening');
  return running;
};

/** A mail program's one-click unsubscribe posts to the address of the page, which the email also links to (RFC 8058). */
const toUnsubscribeRoute: RequestHandler = (request, _response, next) => {
  request.url = request.url.replace(pages.unsubscribe, table.unsubscribe.path);
  next();
};

/** Limits each client network behind a trusted proxy, since the proxy's own connections are not limited. */
const limitProxied = (shares: NetworkShares, proxies: AddressSet): RequestHandler => {
  const limit = limitRequests(shares);
  return (request, response, next) =>
    proxies.has(request.socket.remoteAddress ?? '') ? limit(request, response, next) : next();
};

const limitRequests =
  (shares: NetworkShares): RequestHandler =>
  (request, response, next) => {
    const release = shares.take(String(request.headers['x-forwarded-for']));
    if (!release) throw unavailable('Too many requests come from your network right now.');
    response.once('close', release);
    next();
  };

const limitConnections = (server: Server, shares: NetworkShares, proxies: AddressSet): void => {
  server.on('connection', (socket) => {
    const address = socket.remoteAddress ?? '';
    if (proxies.has(address)) return;
    const release = shares.take(address);
    if (release) socket.once('close', release);
    else socket.destroy();
  });
};

/** Metrics have a port of their own, because the gateway's is public. @returns a function that stops it */
const listenForMetrics = async (
  config: GatewayConfig,
  metrics: Metrics,
): Promise<() => Promise<void>> => {
  const app = express();
  addMetrics(app, metrics);
  const running = await listen(app, { host: config.HOST, port: config.METRICS_PORT ?? 0 });
  return running.stop;
};

/** A network may use 128 of the 512 connections to a service. An IPv6 /48, which holds many networks, may use 256. */
const upstreamShares = { share: 128, most: 256 };

const addRoutes = (
  app: Express,
  table: readonly Route[],
  upstreams: Upstreams,
  limit: RequestHandler,
): void => {
  const shares = Object.fromEntries(
    serviceNames.map((service) => [
      service,
      limitRequests(new NetworkShares(upstreamShares.share, upstreamShares.most)),
    ]),
  ) as Record<ServiceName, RequestHandler>;
  for (const { method, path, service } of table) {
    const verb = method.toLowerCase() as 'get' | 'post' | 'put' | 'delete';
    app[verb](path, limit, shares[service], upstreams[service].forward);
  }
};
