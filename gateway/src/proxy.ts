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

/** Reads a request's body only after connecting, so that a request whose connection failed can go to another replica. */
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
   * Skips a stopping replica. Also closes the idle connections to it: the replica might close them just as a request is
   * sent. Identifies replicas by address, because in Docker all replicas of a service share one URL.
   */
  rest({ remoteAddress, remotePort = 0 }: Socket): void {
    if (!remoteAddress) return;
    this.#restUntilMs.set(keyOf(remoteAddress, remotePort), Date.now() + restMs);
    for (const kept of Object.values(this.freeSockets).flatMap((sockets) => sockets ?? [])) {
      if (kept.remoteAddress === remoteAddress && kept.remotePort === remotePort) kept.destroy();
    }
  }

  /** Resolves a host name to the replicas that are not being skipped, or to all if all are being skipped. */
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

/** Keeps connections alive, because opening one per request halves the throughput. The timeout is below the services' 75 s. */
const agent = new UpstreamAgent({
  keepAlive: true,
  maxSockets: 512,
  maxFreeSockets: 128,
  timeout: 65_000,
});

const timedOut = Symbol('timed out');
type Exchange = IncomingMessage & {
  route?: { path: string };
  upstream?: string;
  tries?: number;
  upstreamRequest?: ClientRequest;
  [timedOut]?: boolean;
};

/** The request to the service; undefined while it waits for a connection. */
export const upstreamOf = (request: IncomingMessage): ClientRequest | undefined =>
  (request as Exchange).upstreamRequest;

/** Limits the time from the end of the request to the reply. The library's own timeout would look like a broken connection. */
const limitReplyTime = (request: Exchange, response: Response): void => {
  const endRequest = () => {
    // 'close' is never emitted if the client left before the listener below was added, so check `closed` too.
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

/** Reads no bodies, so that uploads stream and webhooks keep their exact bytes. */
export const createProxy = (service: ServiceName, urls: readonly string[], logger: Logger) => {
  const upstreams = new Upstreams(urls);
  const proxy = createProxyMiddleware<Exchange, Response>({
    target: urls[0] as string,
    router: (request) => {
      request.upstream = upstreams.pick();
      request.tries = (request.tries ?? 0) + 1;
      // Node has already answered `Expect`. Forwarding it would send the headers before the `proxyReq` listener changes them.
      delete request.headers.expect;
      return request.upstream;
    },
    agent,
    ws: false,
    xfwd: false,
    // Replaces the default plugins, because their logger took longer than the routing. The cast satisfies Express's types.
    ejectPlugins: true,
    plugins: [debugProxyErrorsPlugin, proxyEventsPlugin] as never[],
    on: {
      proxyReq(upstreamRequest, request) {
        // A chunked request gets its own connection: otherwise request smuggling could turn its body into another client's request.
        if (!isChunked(request)) upstreamRequest.setHeader('Connection', 'keep-alive');
        request.upstreamRequest = upstreamRequest;
        if (request[timedOut]) upstreamRequest.destroy();
      },
      proxyRes(reply, request, response) {
        // A stopping replica replies with `Connection: close`. Ignore this header after a chunked request, whose reply always has it.
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

/** True for a read without a body whose kept-alive connection was closed: sending a read again is safe. */
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
