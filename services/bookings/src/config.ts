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
  HOLD_TTL_MINUTES: z.coerce
    .number()
    .positive()
    .default(15)
    .describe('How long an unpaid cart keeps its dates'),
  PAYMENT_GRACE_MINUTES: z.coerce
    .number()
    .positive()
    .default(15)
    .describe(
      'How much longer a cart with a started payment keeps its dates, and how long an unassigned payment is kept',
    ),
  COMPLETE_AFTER_HOURS: z.coerce
    .number()
    .positive()
    .default(48)
    .describe(
      'How long after its confirmed return (or its end, if none was confirmed) a rental without open problems completes',
    ),
});
export type Config = ReturnType<typeof config.parse>;
