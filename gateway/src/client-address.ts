import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { AddressSet } from './trusted-proxies.ts';

/** Headers that only a proxy of ours may set. From outside they are forged. */
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
 * The client's address: the one that connected or, while that is a trusted proxy, the one that the proxy appended to
 * `X-Forwarded-For`. Entries further left were written by the client and count for nothing.
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

/** Replaces what a client claims about itself by what the gateway knows, for the services. */
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
