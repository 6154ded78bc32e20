import type { IncomingMessage } from 'node:http';

/** Headers that only a proxy of ours may set; from outside they are lies. */
const proxyHeaders = [
  'forwarded',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-proto',
  'x-forwarded-server',
  'x-real-ip',
  'x-client-ip',
  'true-client-ip',
  'cf-connecting-ip',
  'x-user-id',
  'x-user-role',
  // A trace begins here: from outside anybody could have theirs sampled, or continue somebody else's.
  'traceparent',
  'tracestate',
  'baggage',
];

/**
 * The address of whoever asks: the socket's, or behind `hops` trusted proxies the one that the outermost of them
 * saw. What a client wrote further left in `X-Forwarded-For` is never believed.
 */
export const clientAddress = (request: IncomingMessage, hops: number): string => {
  const seen = String(request.headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((address) => address.trim())
    .filter(Boolean);
  return (hops > 0 && seen.at(-hops)) || (request.socket.remoteAddress ?? 'unknown');
};

/** Rewrites what an upstream service learns of the client. */
export const vouchForClient = (request: IncomingMessage, hops: number, requestId: string): void => {
  const address = clientAddress(request, hops);
  for (const name of proxyHeaders) delete request.headers[name];
  request.headers['x-forwarded-for'] = address;
  request.headers['x-request-id'] = requestId;
};
