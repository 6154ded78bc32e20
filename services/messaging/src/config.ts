import { serviceEnv } from '@lendtools/service-kit';
import { z } from 'zod';

export const configSchema = z.object({
  ...serviceEnv,
  MONGO_URL: z.url().describe("The service's own MongoDB database"),
  RATE_LIMIT_FACTOR: z.coerce.number().positive().default(1).describe('Multiplies every limit'),
});

export type Config = z.output<typeof configSchema>;
