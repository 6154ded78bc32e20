import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { networksOf } from '@lendtools/service-kit';
import Bowser from 'bowser';
import type { Request } from 'express';
import { type Response as Found, Reader } from 'mmdb-lib';

/** Where a session is used: coarse enough to store, precise enough for its user to recognize it. */
export interface Device {
  /** Such as `Chrome on Windows`; null for a client that is not a browser. */
  name: string | null;
  /** A network of at least 256 addresses, in CIDR notation. */
  network: string | null;
}

const longestUserAgent = 500;

export const describeDevice = (request: Request): Device => {
  const network = networksOf(request.ip ?? '').at(-1)?.name ?? '';
  return {
    name: nameOf((request.get('user-agent') ?? '').slice(0, longestUserAgent)),
    network: network.includes('/') ? network : null,
  };
};

const knownNames = new Set([...Object.values(Bowser.BROWSER_MAP), ...Object.values(Bowser.OS_MAP)]);

const nameOf = (userAgent: string): string | null => {
  if (!userAgent) return null;
  const { browser, os } = Bowser.parse(userAgent);
  // Bowser takes an unknown name from the header, where a thief could write anything that an email then shows.
  const known = [browser.name, os.name].filter((name) => name && knownNames.has(name));
  return known.join(' on ') || null;
};

const countryNames = new Intl.DisplayNames('en-US', { type: 'region' });

/** Names the country in which a network is registered. Reads the table of networks, which takes 8 MB. */
export const createCountries = (): ((network: string | null) => string | null) => {
  const table = createRequire(import.meta.url).resolve(
    '@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb',
  );
  const reader = new Reader<Found & { country_code?: string }>(readFileSync(table));
  return (network) => {
    const address = network?.split('/')[0];
    const code = address && reader.get(address)?.country_code;
    return code ? (countryNames.of(code) ?? null) : null;
  };
};
