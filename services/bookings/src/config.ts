import type { CommissionTerms } from '@lendtools/contracts/commission';
import {
  internalSecret,
  maskContacts,
  postgresEnv,
  rateLimitFactor,
  replicaUrls,
  requireVerifiedEmail,
  serviceEnv,
} from '@lendtools/service-kit';
import { z } from 'zod';

export const config = z.object({
  ...serviceEnv,
  ...postgresEnv,
  INTERNAL_SECRET: internalSecret,
  PAYMENTS_URL: replicaUrls.describe(
    'The payments service, queried when a client books before its payment event has arrived',
  ),
  RATE_LIMIT_FACTOR: rateLimitFactor,
  REQUIRE_VERIFIED_EMAIL: requireVerifiedEmail,
  MASK_CONTACTS: maskContacts,
  COMPLETE_AFTER_HOURS: z.coerce
    .number()
    .positive()
    .default(48)
    .describe('From the confirmed return, or else the end, of a rental until it is completed'),
  COMMISSION_PERCENT: z.coerce
    .number()
    .min(0)
    .max(100)
    .multipleOf(0.01)
    .optional()
    .describe('The percentage of what an owner earns that the operator keeps'),
  COMMISSION_FIXED_CENTS: z.coerce
    .number()
    .int()
    .min(0)
    .max(100_000)
    .optional()
    .describe('The cents of each booking that the operator keeps as well'),
});
export type Config = ReturnType<typeof config.parse>;

/** The commission on bookings that are held from now on; null if the operator has set none. */
export const commissionOf = ({
  COMMISSION_PERCENT: percent,
  COMMISSION_FIXED_CENTS: fixedCents,
}: Pick<Config, 'COMMISSION_PERCENT' | 'COMMISSION_FIXED_CENTS'>): CommissionTerms | null =>
  percent === undefined && fixedCents === undefined
    ? null
    : { percent: percent ?? 0, fixedCents: fixedCents ?? 0 };
