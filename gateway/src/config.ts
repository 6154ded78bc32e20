import { processEnv } from '@lendtools/service-kit';
import { z } from 'zod';

const replicas = z
  .string()
  .transform((list) => list.split(',').map((url) => url.trim()))
  .pipe(z.array(z.url()).min(1));

export const config = z.object({
  ...processEnv,
  ACCOUNTS_URL: replicas.describe(
    'Comma-separated, one for each replica; so are the other services',
  ),
  CATALOG_URL: replicas,
  BOOKINGS_URL: replicas,
  PAYMENTS_URL: replicas,
  MESSAGING_URL: replicas,
  NOTIFICATIONS_URL: replicas,
  WEB_DIST: z.string().describe('The folder of the built web app'),
  STRIPE_API_BASE: z
    .url()
    .optional()
    .describe('Of the sandbox; without it the card form is Stripe itself'),
  METRICS_PORT: z.coerce
    .number()
    .int()
    .min(0)
    .max(65_535)
    .optional()
    .describe('Where Prometheus reads /metrics; the site itself tells nobody'),
  TRUSTED_PROXY_HOPS: z.coerce
    .number()
    .int()
    .min(0)
    .default(0)
    .describe('Proxies in front whose X-Forwarded-For is believed'),
});
export type GatewayConfig = z.output<typeof config>;
