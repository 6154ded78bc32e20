import { isIPv4, isIPv6 } from 'node:net';

export interface Network {
  /** An IPv4 address, or a network in CIDR notation. */
  name: string;
  /** The factor by which a limit is multiplied for this network; 1 for the narrowest network. */
  factor: number;
}

/** A home gets an IPv6 /64, /56 or /48. A phone carrier gives each phone a /64, so a /48 may also have many users. */
const ipv6Networks = [
  { bits: 64, factor: 1 },
  { bits: 56, factor: 4 },
  { bits: 48, factor: 16 },
];

/**
 * Lists the networks of an address, narrowest first. Apply a limit to each, multiplied by its `factor`. So a client
 * with an IPv6 /48, which is 65,536 networks of 64 bits, gets only 16 times the limit.
 */
export const networksOf = (ip: string): [Network, ...Network[]] => {
  const groups = isIPv6(ip) ? ipv6Groups(ip) : [];
  const ipv4 = isIPv4(ip) ? ip : mappedIpv4(groups);
  if (ipv4) {
    const wider = `${ipv4.split('.').slice(0, 3).join('.')}.0/24`;
    return [
      { name: ipv4, factor: 1 },
      { name: wider, factor: 16 },
    ];
  }
  if (groups.length === 0) return [{ name: ip, factor: 1 }];
  return ipv6Networks.map(({ bits, factor }) => ({
    name: ipv6Cidr(groups, bits),
    factor,
  })) as [Network, ...Network[]];
};

/** The narrowest network of an address: usually that of one home or one phone. */
export const networkOf = (ip: string): string => networksOf(ip)[0].name;

const ipv6Groups = (ip: string): number[] => {
  const withoutZone = ip.replace(/%.*/, '');
  // The URL parser lowers case, compresses zeros and turns a dotted IPv4 tail into two groups.
  const canonical = new URL(`http://[${withoutZone}]`).hostname.slice(1, -1);
  const [before = [], after = []] = canonical
    .split('::')
    .map((part) => part.split(':').filter(Boolean));
  const zeros = Array<string>(8 - before.length - after.length).fill('0');
  return [...before, ...zeros, ...after].map((group) => Number.parseInt(group, 16));
};

/** `::ffff:1.2.3.4` is how a dual-stack socket reports an IPv4 address. */
const mappedIpv4 = (groups: number[]): string | undefined => {
  const [high, low] = groups.slice(6);
  const isMapped = groups.slice(0, 6).join() === [0, 0, 0, 0, 0, 0xffff].join();
  if (!isMapped || high === undefined || low === undefined) return undefined;
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.');
};

const ipv6Cidr = (groups: number[], bits: number): string => {
  const kept = groups.slice(0, 4).map((group, i) => {
    const keptBits = Math.min(16, Math.max(0, bits - 16 * i));
    return (group & (0xffff << (16 - keptBits)) & 0xffff).toString(16);
  });
  return `${kept.join(':')}::/${bits}`;
};
