import type { IncomingMessage } from 'node:http';
import { AppError, sendProblem, unavailable } from '@lendtools/service-kit';
import type { RequestHandler, Response } from 'express';
import type { NetworkShares } from './network-shares.ts';
import { upstreamOf } from './proxy.ts';

/** A body may take the grace period plus the time that its bytes need at 64 kbit/s, which the slowest mobile networks reach. */
const patience = { graceMs: 10_000, lookEveryMs: 1_000 };
const leastBytesPerMs = 8;
/** Bodies up to this size count as small. Node buffers so much (half a stream's high-water mark) before anything reads the body. */
const smallBytes = 32 * 1024;

interface Arrival {
  request: IncomingMessage;
  response: Response;
  startedAtMs: number;
  bytesBefore: number;
  heldUpMs: number;
  leave(): void;
}

/** Forwards a small body only when it is complete: a login sent byte by byte must not occupy a connection to a service. */
export const watchArrivingBodies = (shares: NetworkShares, { graceMs, lookEveryMs } = patience) => {
  const arrivals = new Set<Arrival>();
  const look = () => {
    const now = performance.now();
    for (const arrival of arrivals) {
      if (arrival.request.complete) arrival.leave();
      else if (isHeldUp(arrival.request)) arrival.heldUpMs += lookEveryMs;
      else if (now - arrival.startedAtMs > graceMs + earnedMs(arrival)) rejectSlow(arrival);
    }
  };
  const timer = setInterval(look, lookEveryMs).unref();

  const watch: RequestHandler = (request, response, next) => {
    if (!hasBody(request)) return next();
    // A body that came with its headers is complete on the next tick, after the parser has read it.
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

/** Waits without reading the body: the proxy reads it later. */
const whenComplete = (request: IncomingMessage, work: () => void): void => {
  const look = () => {
    if (!request.complete) return;
    request.off('readable', look);
    // The stream flows again only on the tick after the `readable` listener is removed.
    setImmediate(work);
  };
  request.on('readable', look);
};

/** True if the service reads the body too slowly: the gateway's buffer is full, so the client has to wait. */
const isHeldUp = (request: IncomingMessage): boolean =>
  request.readableLength >= request.readableHighWaterMark;

const earnedMs = ({ request, bytesBefore, heldUpMs }: Arrival): number =>
  heldUpMs + (request.socket.bytesRead - bytesBefore) / leastBytesPerMs;

/** Closes the connection after the reply: otherwise the unread part of a rejected body would keep it open. */
const closeAfter = ({ socket }: IncomingMessage, response: Response): void => {
  response.set('Connection', 'close').once('finish', () => socket.destroySoon());
};

const rejectSlow = ({ request, response, leave }: Arrival): void => {
  leave();
  if (response.headersSent) return void request.socket.destroy();
  closeAfter(request, response);
  const message = 'Your request took too long to arrive. Please try again.';
  const requestId = String(request.headers['x-request-id']);
  sendProblem(response, new AppError('REQUEST_TOO_SLOW', message), requestId);
  upstreamOf(request)?.destroy();
};
