import dns from 'node:dns';
import { once } from 'node:events';
import { Agent, type ClientRequest, type ClientRequestArgs, type IncomingMessage } from 'node:http';
import { type LookupFunction, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ServiceName } from '@lendtools/contracts';
import {
  AppError,
  currentTraceparent,
  type Logger,
  restMs,
  sendProblem,
  Upstreams,
} from '@lendtools/service-kit';
import type { RequestHandler, Response } from 'express';
import {
  createProxyMiddleware,
  debugProxyErrorsPlugin,
  proxyEventsPlugin,
} from 'http-proxy-middleware';

const connectWithinMs = 3_000;
const replyWithinMs = 60_000;

class NotConnectedError extends Error {}

/** Reads a request's body only once the connection is established, so that an unsent request can go to another replica. */
class UpstreamAgent extends Agent {
  readonly #restUntilMs = new Map<string, number>();

  override createConnection(
    options: ClientRequestArgs,
    done: (error: Error | null, socket: Duplex) => void,
  ): undefined {
    const lookup = this.#lookupOthers(Number(options.port));
    const socket = super.createConnection({ ...options, lookup }) as Socket;
    once(socket, 'connect', { signal: AbortSignal.timeout(connectWithinMs) }).then(
      () => done(null, socket),
      (cause) => done(new NotConnectedError('No connection', { cause }), socket.destroy()),
    );
  }

  /**
   * Skips a replica that is stopping, and closes the idle connections to it. Otherwise the replica might close one just
   * as a request is sent on it. Tracks replicas by address, because `Upstreams` tracks them by URL and in Docker all
   * replicas share one URL.
   */
  rest({ remoteAddress, remotePort = 0 }: Socket): void {
    if (!remoteAddress) return;
    this.#restUntilMs.set(keyOf(remoteAddress, remotePort), Date.now() + restMs);
    for (const kept of Object.values(this.freeSockets).flatMap((sockets) => sockets ?? [])) {
      if (kept.remoteAddress === remoteAddress && kept.remotePort === remotePort) kept.destroy();
    }
  }

  /** Looks up a name's addresses, without those of resting replicas unless all rest. */
  #lookupOthers(port: number): LookupFunction {
    const isAwake = ({ address }: dns.LookupAddress): boolean =>
      (this.#restUntilMs.get(keyOf(address, port)) ?? 0) < Date.now();
    return (name, options, done) =>
      dns.lookup(name, options, (error, found, family) => {
        const awake = Array.isArray(found) ? found.filter(isAwake) : [];
        done(error, awake.length > 0 ? awake : found, family);
      });
  }
}

const keyOf = (address: string, port: number): string => `${address} ${port}`;

/** Without keep-alive, new connections halve the throughput. Its timeout stays below the services' 75 s. */
const agent = new UpstreamAgent({
  keepAlive: true,
  maxSockets: 512,
  maxFreeSockets: 128,
  timeout: 65_000,
});

const timedOut = Symbol('timed out');
type Exchange = IncomingMessage & {
  /** Set by Express. */
  route?: { path: string };
  upstream?: string;
  tries?: number;
  upstreamRequest?: ClientRequest;
  [timedOut]?: boolean;
};

/** The request to the service on behalf of the client's; undefined while it waits for a connection. */
export const upstreamOf = (request: IncomingMessage): ClientRequest | undefined =>
  (request as Exchange).upstreamRequest;

/**
 * Ends a request that gets no reply in time. The time starts when its body has arrived, and includes waiting for a free
 * connection to the service. The proxy library has a timeout too, but reports it like a broken connection.
 */
const limitReplyTime = (request: Exchange, response: Response): void => {
  const endRequest = () => {
    // If the client left before the listener below was added, 'close' is never emitted.
    if (!request.complete && !response.closed) return;
    clearInterval(timer);
    request[timedOut] = true;
    const upstreamRequest = upstreamOf(request);
    if (upstreamRequest) upstreamRequest.destroy(new Error('No answer in time'));
    else sendProblem(response, upstreamProblem(request), String(request.headers['x-request-id']));
  };
  const timer = setInterval(endRequest, replyWithinMs);
  response.once('close', () => clearInterval(timer));
};

/** Forwards requests to a service without reading bodies, so that uploads stream and webhooks keep their exact bytes. */
export const createProxy = (service: ServiceName, urls: readonly string[], logger: Logger) => {
  const upstreams = new Upstreams(urls);
  const proxy = createProxyMiddleware<Exchange, Response>({
    target: urls[0] as string,
    router: (request) => {
      request.upstream = upstreams.pick();
      request.tries = (request.tries ?? 0) + 1;
      // Node has already answered `Expect`. Forwarded, it would send the headers before `proxyReq` changes them.
      delete request.headers.expect;
      return request.upstream;
    },
    agent,
    ws: false,
    xfwd: false,
    // The default plugins without the logger, which took longer per request than the routing. The cast is needed because they
    // are typed for a generic response, not Express's.
    ejectPlugins: true,
    plugins: [debugProxyErrorsPlugin, proxyEventsPlugin] as never[],
    on: {
      proxyReq(upstreamRequest, request) {
        // Don't forward the client's Connection header. A chunked request gets a connection of its own, so that request smuggling
        // can't turn part of its body into the next client's request.
        if (!isChunked(request)) upstreamRequest.setHeader('Connection', 'keep-alive');
        request.upstreamRequest = upstreamRequest;
        if (request[timedOut]) upstreamRequest.destroy();
      },
      proxyRes(reply, request, response) {
        // A stopping replica replies with `Connection: close`. Replies to chunked requests always do.
        if (reply.headers.connection === 'close' && !isChunked(request)) {
          upstreams.rest(request.upstream ?? '');
          agent.rest(reply.socket);
        }
        reply.headers.connection = response.shouldKeepAlive ? 'keep-alive' : 'close';
        // The proxy overwrites our headers with the service's, so merge Vary.
        if (reply.headers.vary)
          reply.headers.vary = `${response.get('Vary')}, ${reply.headers.vary}`;
      },
      error(error, request, response) {
        const isUnsent = error instanceof NotConnectedError;
        if (isUnsent) upstreams.rest(request.upstream ?? '');
        if (response instanceof Socket) return void response.destroy();
        if (isUnsent && (request.tries ?? 0) < urls.length) return void proxy(request, response);
        if (request.socket.destroyed || response.headersSent) return void response.destroy();
        if (isRetryable(error, request)) return void proxy(request, response);
        const path = request.route?.path;
        logger.warn({ err: error, service, path }, 'an upstream failed');
        sendProblem(response, upstreamProblem(request), String(request.headers['x-request-id']));
      },
    },
  });
  const forward: RequestHandler = (request, response, next) => {
    limitReplyTime(request, response);
    const traceparent = currentTraceparent();
    if (traceparent) request.headers.traceparent = traceparent;
    return proxy(request, response, next);
  };
  return { forward, upgrade: proxy.upgrade };
};

const mostTries = 3;

/** Whether a kept connection closed under a read without a body, which can safely be retried. */
const isRetryable = (error: Error, request: Exchange): boolean =>
  (error as { code?: string }).code === 'ECONNRESET' &&
  upstreamOf(request)?.reusedSocket === true &&
  (request.method === 'GET' || request.method === 'HEAD') &&
  !isChunked(request) &&
  !('content-length' in request.headers) &&
  !request[timedOut] &&
  (request.tries ?? 0) < mostTries;

const isChunked = (request: IncomingMessage): boolean => 'transfer-encoding' in request.headers;

const upstreamProblem = (request: Exchange): AppError =>
  request[timedOut]
    ? new AppError('UPSTREAM_TIMEOUT', 'This took too long. Please try again.')
    : new AppError(
        'UPSTREAM_UNAVAILABLE',
        'This part of LendTools is not available right now. Please try again soon.',
        {
          headers: { 'Retry-After': '2' },
        },
      );
