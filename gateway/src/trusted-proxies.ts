import { BlockList, isIP, isIPv6 } from 'node:net';
import { z } from 'zod';

/** A set of IP addresses and networks. Also matches IPv4-mapped IPv6 addresses. */
export class AddressSet {
  readonly #list = new BlockList();
  readonly networks: readonly string[];

  /** @throws RangeError for an invalid network, or one that contains every address */
  constructor(networks: readonly string[]) {
    this.networks = networks;
    for (const network of networks) {
      const [address = '', bits = isIPv6(address) ? '128' : '32'] = network.split('/');
      const isBits = /^\d{1,3}$/.test(bits) && Number(bits) > 0;
      if (isIP(address) === 0 || !isBits) throw new RangeError(network);
      this.#list.addSubnet(address, Number(bits), familyOf(address));
    }
  }

  has(address: string): boolean {
    return isIP(address) !== 0 && this.#list.check(address, familyOf(address));
  }
}

const familyOf = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4');

export const addressSet = z
  .string()
  .default('')
  .transform((list, context) => {
    const networks = list
      .split(',')
      .map((network) => network.trim())
      .filter(Boolean);
    try {
      return new AddressSet(networks);
    } catch {
      const message = 'needs addresses or networks such as 10.0.0.0/8, with commas between them';
      context.addIssue({ code: 'custom', message });
      return z.NEVER;
    }
  });
