import type { IncomingMessage } from 'node:http';
import { AppError, sendProblem, unavailable } from '@lendtools/service-kit';
import type { RequestHandler, Response } from 'express';
import type { NetworkShares } from './network-shares.ts';
import { upstreamOf } from './proxy.ts';

/** A body may take the grace, and longer by what has come of it: 64 kbit/s, which the poorest phone's network has. */
const patience = { graceMs: 10_000, lookEveryMs: 1_000 };
const leastBytesPerMs = 8;
/** A body that Node holds while nobody reads it: half of what a stream buffers. */
const smallBytes = 32 * 1024;

interface Arrival {
  request: IncomingMessage;
  response: Response;
  startedAtMs: number;
  bytesBefore: number;
  /** How long it waited for us to read on. */
  heldUpMs: number;
  leave(): void;
}

/**
 * Bodies on their way. Each network has its share of them, one that comes too slowly ends with 408, and a small one has
 * arrived before a connection to a service is taken for it: whoever sends a login byte by byte keeps nobody from theirs.
 */
export const watchArrivingBodies = (shares: NetworkShares, { graceMs, lookEveryMs } = patience) => {
  const arrivals = new Set<Arrival>();
  const look = () => {
    const now = performance.now();
    for (const arrival of arrivals) {
      if (arrival.request.complete) arrival.leave();
      else if (isHeldUp(arrival.request)) arrival.heldUpMs += lookEveryMs;
      else if (now - arrival.startedAtMs > graceMs + earnedMs(arrival)) refuseSlow(arrival);
    }
  };
  const timer = setInterval(look, lookEveryMs).unref();

  const watch: RequestHandler = (request, response, next) => {
    if (!hasBody(request)) return next();
    // What came in one piece with its headers is complete once the parser has gone on.
    setImmediate(() => {
      if (request.complete) return next();
      const address = String(request.headers['x-forwarded-for']);
      const release = shares.take(address);
      if (!release) {
        closeAfter(request, response);
        return next(busy());
      }
      const arrival: Arrival = {
        request,
        response,
        startedAtMs: performance.now(),
        bytesBefore: request.socket.bytesRead,
        heldUpMs: 0,
        leave: () => arrivals.delete(arrival) && release(),
      };
      arrivals.add(arrival);
      request.once('close', arrival.leave);
      if (isSmall(request)) whenComplete(request, next);
      else next();
    });
  };
  return { watch, stop: () => clearInterval(timer) };
};

const busy = () => unavailable('Too much is on its way from your network. Please try again soon.');

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

const isSmall = ({ headers }: IncomingMessage): boolean =>
  Number(headers['content-length'] ?? Number.POSITIVE_INFINITY) <= smallBytes;

/** Without reading it: whoever forwards it finds it whole. */
const whenComplete = (request: IncomingMessage, work: () => void): void => {
  const look = () => {
    if (!request.complete) return;
    request.off('readable', look);
    // A stream flows again only after the listener is gone for good.
    setImmediate(work);
  };
  request.on('readable', look);
};

/** A service that does not read on holds it up, not the client. */
const isHeldUp = (request: IncomingMessage): boolean =>
  request.readableLength >= request.readableHighWaterMark;

const earnedMs = ({ request, bytesBefore, heldUpMs }: Arrival): number =>
  heldUpMs + (request.socket.bytesRead - bytesBefore) / leastBytesPerMs;

/** What is still to come of a refused body would keep its connection. */
const closeAfter = ({ socket }: IncomingMessage, response: Response): void => {
  response.set('Connection', 'close').once('finish', () => socket.destroySoon());
};

const refuseSlow = ({ request, response, leave }: Arrival): void => {
  leave();
  if (response.headersSent) return void request.socket.destroy();
  closeAfter(request, response);
  const message = 'Your request took too long to arrive. Please try again.';
  const requestId = String(request.headers['x-request-id']);
  sendProblem(response, new AppError('REQUEST_TOO_SLOW', message), requestId);
  upstreamOf(request)?.destroy();
};
