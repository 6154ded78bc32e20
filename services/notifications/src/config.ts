import { internalSecret, replicaUrls, serviceEnv } from '@lendtools/service-kit';
import { z } from 'zod';

export const config = z.object({
  ...serviceEnv,
  MONGO_URL: z.url().describe("The service's own MongoDB database"),
  PAYMENTS_URL: replicaUrls.describe('Payments: the receipts that emails attach'),
  INTERNAL_SECRET: internalSecret,
  OLD_INTERNAL_SECRETS: z
    .string()
    .transform((list) => list.split(',').map((each) => each.trim()))
    .pipe(z.array(z.string().min(32)))
    .default([])
    .describe('Earlier values of INTERNAL_SECRET: links in emails that they signed still work'),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/, hostname: /.+/ })
    .describe('The mail server: smtp://user:password@host:587'),
  MAIL_FROM: z
    .string()
    .regex(/^[^\r\n]*@[^\r\n]+$/)
    .describe('The sender: LendTools <hello@example.com>'),
  MESSAGE_MAIL_DELAY_SECONDS: z.coerce
    .number()
    .int()
    .min(0)
    .default(120)
    .describe('How long a message may stay unread before its email leaves'),
});

export type Config = z.output<typeof config>;
