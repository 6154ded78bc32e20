import { newPassword } from '@lendtools/contracts';
import {
  hasPlaceOfPictures,
  internalSecret,
  pictureEnv,
  postgresEnv,
  rateLimitFactor,
  replicaUrls,
  secretOf,
  serviceEnv,
} from '@lendtools/service-kit';
import { z } from 'zod';

/** A private Ed25519 key as a JSON Web Key. The field `x` is the public key. */
const signingKey = z.object({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  x: z.string(),
  d: z.string(),
});
export type SigningKey = z.infer<typeof signingKey>;

const jsonOf = <S extends z.ZodType>(schema: S, message: string) =>
  z
    .string()
    .transform((text, context) => {
      try {
        return JSON.parse(text) as unknown;
      } catch {
        context.addIssue(message);
        return z.NEVER;
      }
    })
    .pipe(schema);

export const config = z
  .object(serviceEnv)
  .omit({ ACCOUNTS_URL: true })
  .extend({
    ...postgresEnv,
    JWT_PRIVATE_KEY: jsonOf(signingKey, 'is not a JSON Web Key').describe(
      'The Ed25519 private key that signs access tokens, as a JWK in JSON',
    ),
    INTERNAL_SECRET: internalSecret,
    BOOKINGS_URL: replicaUrls.describe(
      'Bookings: open bookings before a deletion, reported reviews, data exports',
    ),
    PAYMENTS_URL: replicaUrls.describe('Payments: open money before a deletion, data exports'),
    ...pictureEnv,
    ADMIN_EMAIL: z
      .email()
      .toLowerCase()
      .optional()
      .describe('The email of the first admin, created at startup'),
    ADMIN_PASSWORD: newPassword.optional().describe("The first admin's password"),
    FACTOR_KEY: secretOf(z.string().min(32))
      .optional()
      .describe(
        'What the secrets of authenticator apps are encrypted with: 32 or more characters. Without it no app can be added',
      ),
    REQUIRE_ADMIN_MFA: z
      .stringbool()
      .default(false)
      .describe('Admins can act as such only once they have set up a second factor'),
    CATALOG_URL: replicaUrls.describe('Catalog: reported tools, data exports'),
    MESSAGING_URL: replicaUrls.describe('Messaging: reported messages, data exports'),
    NOTIFICATIONS_URL: replicaUrls.describe('Notifications: data exports'),
    RATE_LIMIT_FACTOR: rateLimitFactor,
  })
  .refine(hasPlaceOfPictures.check, hasPlaceOfPictures.options)
  .refine((given) => !given.REQUIRE_ADMIN_MFA || given.FACTOR_KEY !== undefined, {
    path: ['FACTOR_KEY'],
    message: 'is missing: REQUIRE_ADMIN_MFA needs it',
  });
export type Config = z.infer<typeof config>;
