import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { AddressSet } from './trusted-proxies.ts';

/** Headers to delete from requests, because any client can forge them: only our own proxies may set them. */
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
  // Trace headers: a client could otherwise choose which requests are sampled, or extend another client's trace.
  'traceparent',
  'tracestate',
  'baggage',
];

/** Reads `X-Forwarded-For` from right to left until an address is not a trusted proxy's: clients may forge entries further left. */
export const clientAddress = (request: IncomingMessage, proxies: AddressSet): string => {
  const forwarded = String(request.headers['x-forwarded-for'] ?? '').split(',');
  let address = request.socket.remoteAddress ?? 'unknown';
  while (proxies.has(address)) {
    const previous = forwarded.pop()?.trim() ?? '';
    if (isIP(previous) === 0) break;
    address = previous;
  }
  return address;
};

/** Deletes headers that a client may forge, and sets the address and request id that the services trust. */
export const vouchForClient = (
  request: IncomingMessage,
  proxies: AddressSet,
  requestId: string,
): void => {
  const address = clientAddress(request, proxies);
  for (const name of proxyHeaders) delete request.headers[name];
  request.headers['x-forwarded-for'] = address;
  request.headers['x-request-id'] = requestId;
};
