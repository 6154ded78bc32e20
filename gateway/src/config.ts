import { processEnv, rateLimitFactor, replicaUrls } from '@lendtools/service-kit';
import { z } from 'zod';
import { addressSet } from './trusted-proxies.ts';

/** The browser's policy names one host, so there is no choice of subdomains. */
const isTilesUrl = (url: string): boolean =>
  ['{z}', '{x}', '{y}'].every((part) => url.includes(part)) && !url.includes('{s}');
const tilesProblem = 'It needs {z}, {x} and {y}, and takes no {s}: name one host';

export const config = z.object({
  ...processEnv,
  ACCOUNTS_URL: replicaUrls.describe(
    'Comma-separated, one for each replica; so are the other services',
  ),
  CATALOG_URL: replicaUrls,
  BOOKINGS_URL: replicaUrls,
  PAYMENTS_URL: replicaUrls,
  MESSAGING_URL: replicaUrls,
  NOTIFICATIONS_URL: replicaUrls,
  WEB_DIST: z.string().describe('The folder of the built web app'),
  STRIPE_API_BASE: z
    .url()
    .optional()
    .describe('Of the sandbox; without it the card form is Stripe itself'),
  MAP_TILES_URL: z
    .union([z.literal('none'), z.url().refine(isTilesUrl, tilesProblem)])
    .default('https://tile.openstreetmap.org/{z}/{x}/{y}.png')
    .describe("Where a browser gets the map's pictures; `none` for no map"),
  MAP_ATTRIBUTION: z.string().default('© OpenStreetMap contributors').describe('Whom they name'),
  MAP_ATTRIBUTION_URL: z.url().default('https://www.openstreetmap.org/copyright'),
  METRICS_PORT: z.coerce
    .number()
    .int()
    .min(0)
    .max(65_535)
    .optional()
    .describe('Where Prometheus reads /metrics; the site itself tells nobody'),
  TRUSTED_PROXIES: addressSet.describe(
    'Addresses and networks of the proxies whose X-Forwarded-For is believed, comma-separated; without it, none',
  ),
  RATE_LIMIT_FACTOR: rateLimitFactor,
  CONNECTIONS_PER_NETWORK: z.coerce
    .number()
    .int()
    .min(32)
    .default(2_000)
    .describe('The most that one network may have open; an office shares one address'),
});
export type GatewayConfig = z.output<typeof config>;
