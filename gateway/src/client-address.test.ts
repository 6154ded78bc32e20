import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { clientAddress } from './client-address.ts';
import { AddressSet } from './trusted-proxies.ts';

const request = (remoteAddress: string, forwarded?: string): IncomingMessage =>
  ({ headers: { 'x-forwarded-for': forwarded }, socket: { remoteAddress } }) as never;

const balancer = '10.0.0.9';
const trusted = ['10.0.0.0/24', '2001:db8:5::/48', '192.0.2.1'];

describe('clientAddress', () => {
  it.each([
    ['ignores the header when no proxy is trusted', [], balancer, '6.6.6.6', balancer],
    [
      'ignores the header of a client that is not a proxy',
      trusted,
      '6.6.6.6',
      '1.2.3.4',
      '6.6.6.6',
    ],
    [
      'returns the address that a trusted proxy saw',
      trusted,
      balancer,
      '6.6.6.6, 1.2.3.4',
      '1.2.3.4',
    ],
    [
      'matches an IPv4 proxy on a dual-stack socket',
      trusted,
      '::ffff:10.0.0.9',
      '1.2.3.4',
      '1.2.3.4',
    ],
    [
      'follows a chain of trusted proxies',
      trusted,
      balancer,
      '6.6.6.6, 1.2.3.4, 192.0.2.1',
      '1.2.3.4',
    ],
    ['trusts IPv6 proxies', trusted, '2001:db8:5::1', '2001:db8:9::9', '2001:db8:9::9'],
    ['takes the proxy when it added nothing', trusted, balancer, undefined, balancer],
    ['takes the proxy when it added no address', trusted, balancer, '6.6.6.6, unknown', balancer],
    [
      'takes the first of a chain that is trusted as a whole',
      trusted,
      balancer,
      '10.0.0.7',
      '10.0.0.7',
    ],
  ])(
    'takes the client’s address only from trusted proxies: %s',
    (_, proxies, remoteAddress, forwarded, expected) => {
      expect(clientAddress(request(remoteAddress, forwarded), new AddressSet(proxies))).toBe(
        expected,
      );
    },
  );
});
