import {
  hasPlaceOfPictures,
  pictureEnv,
  postgresEnv,
  rateLimitFactor,
  requireVerifiedEmail,
  serviceEnv,
} from '@lendtools/service-kit';
import { z } from 'zod';

export const config = z
  .object({
    ...serviceEnv,
    ...postgresEnv,
    RATE_LIMIT_FACTOR: rateLimitFactor,
    REQUIRE_VERIFIED_EMAIL: requireVerifiedEmail,
    ...pictureEnv,
  })
  .refine(hasPlaceOfPictures.check, hasPlaceOfPictures.options);
export type Config = z.output<typeof config>;
