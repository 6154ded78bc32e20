import {
  internalSecret,
  postgresEnv,
  rateLimitFactor,
  replicaUrls,
  secretOf,
  serviceEnv,
} from '@lendtools/service-kit';
import { z } from 'zod';

export const isTestKey = (key: string): boolean => /^(?:sk|rk|pk)_test_/.test(key);

export const config = z
  .object({
    ...serviceEnv,
    ...postgresEnv,
    INTERNAL_SECRET: internalSecret,
    RATE_LIMIT_FACTOR: rateLimitFactor,
    BOOKINGS_URL: replicaUrls.describe("Bookings: a hold's price, and the refunds owed"),
    STRIPE_SECRET_KEY: z.string().min(1).describe("sk_test_… or sk_live_…, or the sandbox's"),
    STRIPE_PUBLISHABLE_KEY: z.string().min(1).describe('pk_…, for the card form'),
    STRIPE_WEBHOOK_SECRET: secretOf(z.string().min(1)).describe(
      'whsec_…, of the webhook endpoint; two with a comma between them while it is rolled',
    ),
    STRIPE_CONNECT_WEBHOOK_SECRET: secretOf(z.string().min(1))
      .optional()
      .describe("whsec_…, of the endpoint for events about owners' accounts; as above"),
    RECEIPT_TAX_NAME: z
      .string()
      .max(40)
      .optional()
      .describe('A tax that the prices include, such as sales tax, for a line on receipts'),
    RECEIPT_TAX_PERCENT: z.coerce
      .number()
      .positive()
      .max(50)
      .optional()
      .describe('Its percentage, such as 8.25; with RECEIPT_TAX_NAME'),
    STRIPE_API_BASE: z.url().optional().describe('The sandbox, such as http://127.0.0.1:4242'),
  })
  .superRefine((settings, { addIssue }) => {
    const reject = (name: keyof typeof settings, message: string) =>
      addIssue({ code: 'custom', path: [name], message });
    const { STRIPE_API_BASE, STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY, PUBLIC_URL } = settings;
    const { RECEIPT_TAX_NAME, RECEIPT_TAX_PERCENT } = settings;
    if (RECEIPT_TAX_NAME !== undefined && RECEIPT_TAX_PERCENT === undefined)
      reject('RECEIPT_TAX_PERCENT', 'is missing, but RECEIPT_TAX_NAME is set');
    if (RECEIPT_TAX_NAME === undefined && RECEIPT_TAX_PERCENT !== undefined)
      reject('RECEIPT_TAX_NAME', 'is missing, but RECEIPT_TAX_PERCENT is set');
    const isTest = isTestKey(STRIPE_SECRET_KEY);
    if (isTest !== isTestKey(STRIPE_PUBLISHABLE_KEY))
      reject('STRIPE_PUBLISHABLE_KEY', 'is of another mode (test or live) than STRIPE_SECRET_KEY');
    if (STRIPE_API_BASE === undefined) return;
    // Reject a live key with the sandbox, which accepts test cards and moves no money: renters would get tools for free.
    if (!isTest)
      reject(
        'STRIPE_SECRET_KEY',
        'is no test key, but STRIPE_API_BASE names a sandbox, where no money moves. Unset STRIPE_API_BASE to charge cards',
      );
    if (new URL(PUBLIC_URL).protocol === 'https:')
      reject(
        'STRIPE_API_BASE',
        'names a sandbox, where no money moves, but PUBLIC_URL is a public site (https). Unset it to charge cards by Stripe',
      );
  });

export type Config = z.output<typeof config>;
