import { describe, expect, it } from '@jest/globals';
import { networkOf, networksOf } from '../src/network-of.ts';

describe('networkOf', () => {
  it.each([
    ['10.1.2.3', '10.1.2.3'],
    ['::ffff:10.1.2.3', '10.1.2.3'],
    ['::FFFF:0a01:0203', '10.1.2.3'],
    ['0:0:0:0:0:ffff:10.1.2.3', '10.1.2.3'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['1::3:4:5:6:7:8', '1:0:3:4::/64'],
    ['64:ff9b::10.1.2.3', '64:ff9b:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['', ''],
    ['1::2::3', '1::2::3'],
    ['not an address', 'not an address'],
  ])('maps the address %j to the network %j', (ip, network) => {
    expect(networkOf(ip)).toBe(network);
  });
});

describe('networksOf', () => {
  it('counts an IPv6 address in its networks /64, /56 and /48', () => {
    expect(networksOf('2001:db8:1:23ff::9')).toEqual([
      { name: '2001:db8:1:23ff::/64', factor: 1 },
      { name: '2001:db8:1:2300::/56', factor: 4 },
      { name: '2001:db8:1:0::/48', factor: 16 },
    ]);
  });

  it('counts an IPv4 address as itself and in its /24', () => {
    expect(networksOf('203.0.113.7')).toEqual([
      { name: '203.0.113.7', factor: 1 },
      { name: '203.0.113.0/24', factor: 16 },
    ]);
  });
});
