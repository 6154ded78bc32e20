import { processEnv, rateLimitFactor, replicaUrls } from '@lendtools/service-kit';
import { z } from 'zod';
import { addressSet } from './trusted-proxies.ts';

/** Rejects the placeholder `{s}` for a subdomain, because the content security policy allows only one host. */
const isTilesUrl = (url: string): boolean =>
  ['{z}', '{x}', '{y}'].every((part) => url.includes(part)) && !url.includes('{s}');
const tilesProblem = 'It needs {z}, {x} and {y}, and must not have {s}: name one host';

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
    .describe("The sandbox's address; without it, the card form uses Stripe"),
  MAP_TILES_URL: z
    .union([z.literal('none'), z.url().refine(isTilesUrl, tilesProblem)])
    .default('https://tile.openstreetmap.org/{z}/{x}/{y}.png')
    .describe("Where browsers load the map's tiles; `none` for no map"),
  MAP_ATTRIBUTION: z
    .string()
    .default('© OpenStreetMap contributors')
    .describe('The attribution on the map'),
  MAP_ATTRIBUTION_URL: z.url().default('https://www.openstreetmap.org/copyright'),
  METRICS_PORT: z.coerce
    .number()
    .int()
    .min(0)
    .max(65_535)
    .optional()
    .describe('Where Prometheus reads /metrics; the public port does not serve it'),
  TRUSTED_PROXIES: addressSet.describe(
    'Addresses and networks of the proxies whose X-Forwarded-For is trusted, comma-separated; none by default',
  ),
  RATE_LIMIT_FACTOR: rateLimitFactor,
  CONNECTIONS_PER_NETWORK: z.coerce
    .number()
    .int()
    .min(32)
    .default(2_000)
    .describe('How many connections one network may have open; an office shares one address'),
});
export type GatewayConfig = z.output<typeof config>;
