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
const answerWithinMs = 60_000;

class NotConnectedError extends Error {}

/** The body is read only once a connection is established, so a refused request can be sent whole to another replica. */
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
   * Leaves the replica at the other end alone while it stops: a connection that is kept would be closed with a request on
   * its way. `Upstreams` knows replicas by their URL; in Docker one URL is all of them.
   */
  rest({ remoteAddress, remotePort = 0 }: Socket): void {
    if (!remoteAddress) return;
    this.#restUntilMs.set(keyOf(remoteAddress, remotePort), Date.now() + restMs);
    for (const kept of Object.values(this.freeSockets).flatMap((sockets) => sockets ?? [])) {
      if (kept.remoteAddress === remoteAddress && kept.remotePort === remotePort) kept.destroy();
    }
  }

  /** The addresses of a name without those that rest, unless all do. */
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

/** Without keep-alive half the throughput goes into connections; its timeout stays under the services' own 75 s. */
const agent = new UpstreamAgent({
  keepAlive: true,
  maxSockets: 512,
  maxFreeSockets: 128,
  timeout: 65_000,
});

const timedOut = Symbol('timed out');
type Exchange = IncomingMessage & {
  /** As Express leaves it. */
  route?: { path: string };
  upstream?: string;
  tries?: number;
  upstreamRequest?: ClientRequest;
  [timedOut]?: boolean;
};

/** What a service is being asked on behalf of a request; undefined while it waits for a connection. */
export const upstreamOf = (request: IncomingMessage): ClientRequest | undefined =>
  (request as Exchange).upstreamRequest;

/**
 * The time for an answer begins when the body has arrived, and also while all connections to the service are taken. The
 * proxy's own timeout would look like a broken connection; this one is told apart.
 */
const answerInTime = (request: Exchange, response: Response): void => {
  const giveUp = () => {
    // Of a client that left before this was called, no 'close' is heard any more.
    if (!request.complete && !response.closed) return;
    clearInterval(timer);
    request[timedOut] = true;
    const upstreamRequest = upstreamOf(request);
    if (upstreamRequest) upstreamRequest.destroy(new Error('No answer in time'));
    else sendProblem(response, upstreamProblem(request), String(request.headers['x-request-id']));
  };
  const timer = setInterval(giveUp, answerWithinMs);
  response.once('close', () => clearInterval(timer));
};

/** Forwards to a service as it came: no body is read here, so uploads stream and webhooks keep their bytes. */
export const createProxy = (service: ServiceName, urls: readonly string[], logger: Logger) => {
  const upstreams = new Upstreams(urls);
  const proxy = createProxyMiddleware<Exchange, Response>({
    target: urls[0] as string,
    router: (request) => {
      request.upstream = upstreams.pick();
      request.tries = (request.tries ?? 0) + 1;
      // Node has answered it; forwarded, it would send the headers before `proxyReq` has seen them.
      delete request.headers.expect;
      return request.upstream;
    },
    agent,
    ws: false,
    xfwd: false,
    // All but the one that makes a line for each request, which nobody reads: it took longer than the routing. They are
    // typed for any server's response, ours is Express's.
    ejectPlugins: true,
    plugins: [debugProxyErrorsPlugin, proxyEventsPlugin] as never[],
    on: {
      proxyReq(upstreamRequest, request) {
        // How the client keeps its connection is not how we keep ours. A chunked body's stays closed: nothing that
        // a service read otherwise than we did may become the next client's request.
        if (!isChunked(request)) upstreamRequest.setHeader('Connection', 'keep-alive');
        request.upstreamRequest = upstreamRequest;
        if (request[timedOut]) upstreamRequest.destroy();
      },
      proxyRes(reply, request, response) {
        // A replica that stops says so while it still answers. To a chunked body everybody says it.
        if (reply.headers.connection === 'close' && !isChunked(request)) {
          upstreams.rest(request.upstream ?? '');
          agent.rest(reply.socket);
        }
        reply.headers.connection = response.shouldKeepAlive ? 'keep-alive' : 'close';
        // What is copied takes the place of what is there.
        if (reply.headers.vary)
          reply.headers.vary = `${response.get('Vary')}, ${reply.headers.vary}`;
      },
      error(error, request, response) {
        const isUnsent = error instanceof NotConnectedError;
        if (isUnsent) upstreams.rest(request.upstream ?? '');
        if (response instanceof Socket) return void response.destroy();
        if (isUnsent && (request.tries ?? 0) < urls.length) return void proxy(request, response);
        if (request.socket.destroyed || response.headersSent) return void response.destroy();
        if (metClose(error, request)) return void proxy(request, response);
        const path = request.route?.path;
        logger.warn({ err: error, service, path }, 'an upstream failed');
        sendProblem(response, upstreamProblem(request), String(request.headers['x-request-id']));
      },
    },
  });
  const forward: RequestHandler = (request, response, next) => {
    answerInTime(request, response);
    const traceparent = currentTraceparent();
    if (traceparent) request.headers.traceparent = traceparent;
    return proxy(request, response, next);
  };
  return { forward, upgrade: proxy.upgrade };
};

const mostTries = 3;

/** The kept connection was being closed when a read without a body was sent on it: asked again, it does no harm. */
const metClose = (error: Error, request: Exchange): boolean =>
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
