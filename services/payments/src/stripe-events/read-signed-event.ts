import type { Request } from 'express';
import Stripe from 'stripe';
import type { z } from 'zod';
import type { Deps } from '../deps.ts';
import { webhookSignatureInvalid, webhookUnreadable } from '../domain/errors.ts';
import { withoutSecrets } from '../stripe/stripe-api.ts';

const toleranceSeconds = 300;

/**
 * Reads the event of a webhook. Logs each rejected one: nothing else shows that a wrong secret rejects all of them.
 * @throws AppError WEBHOOK_SIGNATURE_INVALID if none of the secrets signed it, REQUEST_UNREADABLE if it has another shape
 */
export const readSignedEvent = <T>(
  { stripe, logger }: Pick<Deps, 'stripe' | 'logger'>,
  request: Pick<Request, 'body' | 'get'>,
  { secrets, schema }: { secrets: readonly string[]; schema: z.ZodType<T> },
): T => {
  try {
    const { body } = request;
    if (!Buffer.isBuffer(body)) throw new Error('The webhook has no body');
    const header = request.get('stripe-signature') ?? '';
    return schema.parse(verify({ stripe, secrets }, body, header));
  } catch (error) {
    logger.warn({ err: withoutSecrets(error) }, 'rejected a webhook');
    const isUnsigned =
      error instanceof Stripe.errors.StripeSignatureVerificationError || secrets.length === 0;
    throw isUnsigned ? webhookSignatureInvalid() : webhookUnreadable();
  }
};

/** Tries the old and the new secret: while the secret is rotated, Stripe signs with one of them or with both. */
const verify = (
  { stripe, secrets }: { stripe: Stripe; secrets: readonly string[] },
  body: Buffer,
  header: string,
): Stripe.Event => {
  let rejection: unknown;
  for (const secret of secrets) {
    try {
      return stripe.webhooks.constructEvent(body, header, secret, toleranceSeconds);
    } catch (error) {
      if (!(error instanceof Stripe.errors.StripeSignatureVerificationError)) throw error;
      rejection = error;
    }
  }
  throw rejection ?? new Error('The secret of this endpoint is not set');
};
