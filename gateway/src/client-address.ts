import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { AddressSet } from './trusted-proxies.ts';

/** Headers that only our own proxies may set. A client's are dropped, because they may be forged. */
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
  // The gateway starts each trace: clients must neither choose what is sampled nor extend another client's trace.
  'traceparent',
  'tracestate',
  'baggage',
];

/**
 * Returns the client's address: the peer's, or, while that is a trusted proxy, the address that the proxy appended to
 * `X-Forwarded-For`. Entries further left may be forged by the client and are ignored.
 */
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

/** Replaces the client's own address and id headers with the gateway's, which the services trust. */
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
