import { z } from 'zod';
import { isBucketUrl } from './s3-bucket.ts';

export class ConfigError extends Error {}

/** Settings that every process has. A service adds its own and passes them all to `readConfig`. */
export const processEnv = {
  PORT: z.coerce.number().int().min(0).max(65_535).default(0).describe('Where to listen; 0 picks'),
  HOST: z.string().default('127.0.0.1').describe('The address to listen on'),
  PUBLIC_URL: z.url().describe("The site's address, as people type it"),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url()
    .optional()
    .describe('Where traces are sent, by OTLP over HTTP; without it there are none'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number()
    .min(0)
    .max(1)
    .default(1)
    .describe('The share of requests that are traced'),
};

/** URLs of a service's replicas, separated by commas. */
export const replicaUrls = z
  .string()
  .transform((list) => list.split(',').map((url) => url.trim()))
  .pipe(z.array(z.url()).min(1));

/** One secret, or during a rotation the new and the old, separated by a comma. Both are accepted, the first is sent. */
export const secretOf = (one: z.ZodString) =>
  z
    .string()
    .transform((list) => list.split(',').map((each) => each.trim()))
    .pipe(z.tuple([one], one));
export type Secrets = [string, ...string[]];

export const internalSecret = secretOf(z.string().min(32)).describe(
  'What the services that call each other know each other by: the same 32 or more characters for all',
);

export const serviceEnv = {
  ...processEnv,
  AMQP_URL: z.url().describe('RabbitMQ, with its virtual host'),
  AMQP_DECLARES: z
    .enum(['all', 'own'])
    .default('all')
    .describe("What it declares there: everybody's queues, or its own alone"),
  ACCOUNTS_URL: replicaUrls.describe("Where accounts' keys and recent revocations are"),
  PURGE_INTERVAL_MINUTES: z.coerce
    .number()
    .positive()
    .default(10)
    .describe('How often it deletes what is of no use any more'),
  CHECK_REPLIES: z
    .stringbool()
    .default(false)
    .describe('Refuse to answer outside the schemas; for tests'),
};

export const postgresEnv = {
  DATABASE_URL: z.url().describe("PostgreSQL, the service's own database as its own user"),
  DATABASE_DIRECT_URL: z
    .url()
    .optional()
    .describe('The same without PgBouncer, if DATABASE_URL has one that pools transactions'),
};

/** Pictures are stored in a folder or a bucket, or in both while they are moved from one to the other. */
export const pictureEnv = {
  IMAGES_DIR: z.string().min(1).optional().describe('The folder of pictures'),
  S3_URL: z
    .url({ protocol: /^https?$/ })
    .refine(isBucketUrl, 'is not like https://KEY:SECRET@host/bucket')
    .optional()
    .describe('The bucket of pictures, at any server that speaks S3'),
};
export const hasPlaceOfPictures = {
  check: ({ IMAGES_DIR, S3_URL }: { IMAGES_DIR?: unknown; S3_URL?: unknown }): boolean =>
    Boolean(IMAGES_DIR || S3_URL),
  // Check this even if other settings are invalid, so that all problems are reported at once.
  options: { path: ['IMAGES_DIR'], when: () => true },
};

export const rateLimitFactor = z.coerce
  .number()
  .positive()
  .default(1)
  .describe('Multiplies every limit on one person');

export const requireVerifiedEmail = z
  .stringbool()
  .default(false)
  .describe('Only someone who followed the link in the welcome email may list tools and book');

export const maskContacts = z
  .stringbool()
  .default(true)
  .describe('Emails, phone numbers and links in messages are hidden until the booking is paid');

/** @throws ConfigError with the name, never the value, of every missing or malformed variable */
export const readConfig = <S extends z.ZodObject>(
  schema: S,
  env: Record<string, string | undefined>,
): z.output<S> => {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => {
    const name = issue.path.join('.');
    return `  ${name}: ${name in given ? issue.message : 'is missing'}`;
  });
  throw new ConfigError(`The environment is not right:\n${problems.join('\n')}`);
};
