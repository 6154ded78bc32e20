import { describe, expect, it } from '@jest/globals';
import { networkOf } from '../src/network-of.ts';

describe('networkOf', () => {
  it.each([
    ['10.1.2.3', '10.1.2.3'],
    ['::ffff:10.1.2.3', '10.1.2.3'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:0DB8:0001:0002::', '2001:db8:1:2'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['1::3:4:5:6:7:8', '1:0:3:4'],
    ['::1', '0:0:0:0'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
    ['', ''],
    ['1::2::3', '1::2::3'],
  ])('of %j is %j', (ip, network) => {
    expect(networkOf(ip)).toBe(network);
  });
});
