import { rateLimitFactor, requireVerifiedEmail, serviceEnv } from '@lendtools/service-kit';
import { z } from 'zod';

export const config = z.object({
  ...serviceEnv,
  DATABASE_URL: z.url().describe("Catalog's own PostgreSQL database"),
  RATE_LIMIT_FACTOR: rateLimitFactor,
  REQUIRE_VERIFIED_EMAIL: requireVerifiedEmail,
  IMAGES_DIR: z.string().min(1).describe("The folder of the tools' and categories' pictures"),
});
export type Config = z.output<typeof config>;
