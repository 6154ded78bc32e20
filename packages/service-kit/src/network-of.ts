import { isIPv4, isIPv6 } from 'node:net';

/**
 * What counts as one address: of IPv6 the first 64 bits, because a host has the others to itself. An IPv4 address that
 * is written as one of IPv6 is the IPv4 one.
 */
export const networkOf = (ip: string): string => {
  const mapped = ip.replace(/^::ffff:/i, '');
  if (isIPv4(mapped)) return mapped;
  if (!isIPv6(ip)) return ip;
  const [before = [], after = []] = ip.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0');
  return [...before, ...zeros, ...after]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
};
