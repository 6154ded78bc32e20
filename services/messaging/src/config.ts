import { maskContacts, rateLimitFactor, replicaUrls, serviceEnv } from '@lendtools/service-kit';
import { z } from 'zod';

export const config = z.object({
  ...serviceEnv,
  MONGO_URL: z.url().describe("The service's own MongoDB database"),
  CATALOG_URL: replicaUrls.describe('Catalog: the tools that renters ask about'),
  RATE_LIMIT_FACTOR: rateLimitFactor,
  MASK_CONTACTS: maskContacts,
});

export type Config = z.output<typeof config>;
