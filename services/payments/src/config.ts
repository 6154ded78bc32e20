import { replicaUrls, serviceEnv } from '@lendtools/service-kit';
import { z } from 'zod';

export const config = z.object({
  ...serviceEnv,
  DATABASE_URL: z.url().describe("The service's own PostgreSQL database"),
  BOOKINGS_URL: replicaUrls.describe('Where a hold tells its price'),
  STRIPE_SECRET_KEY: z.string().min(1).describe("sk_test_… or sk_live_…, or the sandbox's"),
  STRIPE_PUBLISHABLE_KEY: z.string().min(1).describe('pk_…, for the card form'),
  STRIPE_WEBHOOK_SECRET: z.string().min(1).describe('whsec_…, of the webhook endpoint'),
  STRIPE_API_BASE: z.url().optional().describe('The sandbox, such as http://127.0.0.1:4242'),
  UNASSIGNED_PAYMENT_TTL_MINUTES: z.coerce
    .number()
    .int()
    .min(1)
    .default(60)
    .describe('How long a payment without a hold may be paid'),
});

export type Config = z.output<typeof config>;
