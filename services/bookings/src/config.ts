import {
  internalSecret,
  rateLimitFactor,
  replicaUrls,
  requireVerifiedEmail,
  serviceEnv,
} from '@lendtools/service-kit';
import { z } from 'zod';

export const config = z.object({
  ...serviceEnv,
  DATABASE_URL: z.url().describe("PostgreSQL, this service's own database"),
  INTERNAL_SECRET: internalSecret,
  PAYMENTS_URL: replicaUrls.describe(
    'The payments service, queried when a client books before its payment event has arrived',
  ),
  RATE_LIMIT_FACTOR: rateLimitFactor,
  REQUIRE_VERIFIED_EMAIL: requireVerifiedEmail,
  COMPLETE_AFTER_HOURS: z.coerce
    .number()
    .positive()
    .default(48)
    .describe('From the confirmed return, or else the end, of a rental until it is completed'),
});
export type Config = ReturnType<typeof config.parse>;
