import type { RequestHandler, Response } from 'express';

/** How long a client, such as a phone in a tunnel, may fall behind 64 kbit/s, the minimum speed of downloads and uploads. */
const patience = { graceMs: 20_000, lookEveryMs: 1_000 };
const leastBytesPerMs = 8;

interface Reply {
  response: Response;
  /** How long the client is behind the minimum speed. Never negative: the kernel buffers the first bytes before the client reads them. */
  behindMs: number;
  /** Bytes that the kernel had accepted at the last check. */
  taken: number;
}

/** Cuts off clients that read a reply slowly and so occupy a connection to a service. Ignores WebSockets. */
export const watchDepartingReplies = ({ graceMs, lookEveryMs } = patience) => {
  const replies = new Set<Reply>();
  const look = () => {
    for (const reply of replies) {
      const { socket } = reply.response.req;
      const isWaiting = socket.writableLength + reply.response.writableLength > 0;
      const taken = socket.bytesWritten - socket.writableLength;
      const readMs = (taken - reply.taken) / leastBytesPerMs;
      reply.taken = taken;
      reply.behindMs = isWaiting ? Math.max(0, reply.behindMs + lookEveryMs - readMs) : 0;
      if (reply.behindMs > graceMs) socket.destroy();
    }
  };
  const timer = setInterval(look, lookEveryMs).unref();

  const watch: RequestHandler = (request, response, next) => {
    const { bytesWritten, writableLength } = request.socket;
    const reply = { response, behindMs: 0, taken: bytesWritten - writableLength };
    replies.add(reply);
    response.once('close', () => replies.delete(reply));
    next();
  };
  return { watch, stop: () => clearInterval(timer) };
};
