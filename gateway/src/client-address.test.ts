import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { clientAddress } from './client-address.ts';

const request = (forwarded?: string): IncomingMessage =>
  ({ headers: { 'x-forwarded-for': forwarded }, socket: { remoteAddress: '10.0.0.9' } }) as never;

describe('clientAddress', () => {
  it.each([
    ['the socket, with no proxy in front', 0, '6.6.6.6', '10.0.0.9'],
    ['what the one proxy saw', 1, '6.6.6.6, 1.2.3.4', '1.2.3.4'],
    ['what the outer of two proxies saw', 2, '6.6.6.6, 1.2.3.4, 10.0.0.1', '1.2.3.4'],
    ['the socket, when a proxy added nothing', 1, undefined, '10.0.0.9'],
  ])('is %s', (_, hops, forwarded, expected) => {
    expect(clientAddress(request(forwarded), hops)).toBe(expected);
  });
});
