import { describe, expect, it } from '@jest/globals';
import { config } from './config.ts';

const accepts = (url: string): boolean => config.shape.MAP_TILES_URL.safeParse(url).success;

describe('MAP_TILES_URL', () => {
  it('accepts tiles URLs with one host and {z}, {x} and {y}, or `none`', () => {
    expect(accepts('none')).toBe(true);
    expect(accepts('https://tiles.test/{z}/{x}/{y}.png?key=1')).toBe(true);
    expect(accepts('https://{s}.tiles.test/{z}/{x}/{y}.png')).toBe(false);
    expect(accepts('https://tiles.test/{z}/{x}.png')).toBe(false);
    expect(accepts('https://tiles.test/map.png')).toBe(false);
  });
});

describe('TRUSTED_PROXIES', () => {
  const parse = (list?: string) => config.shape.TRUSTED_PROXIES.safeParse(list);

  it('trusts no proxy by default', () => {
    expect(parse().data?.has('127.0.0.1')).toBe(false);
  });

  it('accepts proxies as addresses and networks, of IPv4 and IPv6', () => {
    const proxies = parse('172.18.0.1, 10.0.0.0/8,fd00::/8').data;

    const trusted = ['172.18.0.1', '10.9.9.9', '::ffff:10.9.9.9', 'fd12::1'];
    expect(trusted.filter((address) => !proxies?.has(address))).toEqual([]);
    expect(['172.18.0.2', '11.0.0.1', 'fe80::1', ''].filter((ip) => proxies?.has(ip))).toEqual([]);
  });

  it.each(['1', 'nginx', '10.0.0.0/33', '10.0.0.0/', '0.0.0.0/0', '::/0'])(
    'rejects the trusted proxy %j',
    (list) => {
      expect(parse(list).success).toBe(false);
    },
  );
});
