import { routes } from '@lendtools/contracts';
import { handle } from '@lendtools/service-kit';
import Stripe from 'stripe';
import type { Deps } from '../../deps.ts';
import { webhookSignatureInvalid, webhookUnreadable } from '../../domain/errors.ts';
import { webhookLag } from '../../store/payment-metrics.ts';
import { withoutSecrets } from '../../stripe/stripe-api.ts';
import { applyStripeEvent, eventSchema, type StripeEvent } from '../apply-stripe-event.ts';

const toleranceSeconds = 300;

/** Throws every failure, because Stripe retries until it gets a 2xx. */
export const receiveWebhook = (deps: Deps) =>
  handle(routes.paymentWebhook, async ({ request }) => {
    const event = readSigned(deps, request.body, request.get('stripe-signature'));
    if (await applyStripeEvent(deps, event)) webhookLag.observe(Date.now() / 1_000 - event.created);
    return { received: true as const };
  });

/** Logs each rejected webhook: nothing else shows that a wrong secret rejects all of them. */
const readSigned = (deps: Deps, body: unknown, header?: string): StripeEvent => {
  const { logger } = deps;
  try {
    if (!Buffer.isBuffer(body)) throw new Error('The webhook has no body');
    return eventSchema.parse(constructEvent(deps, body, header ?? ''));
  } catch (error) {
    logger.warn({ err: withoutSecrets(error) }, 'rejected a webhook');
    throw error instanceof Stripe.errors.StripeSignatureVerificationError
      ? webhookSignatureInvalid()
      : webhookUnreadable();
  }
};

/** Tries the old and the new secret: while the secret is rotated, Stripe signs with one of them or with both. */
const constructEvent = ({ stripe, config }: Deps, body: Buffer, header: string): Stripe.Event => {
  let rejection: unknown;
  for (const secret of config.STRIPE_WEBHOOK_SECRET) {
    try {
      return stripe.webhooks.constructEvent(body, header, secret, toleranceSeconds);
    } catch (error) {
      if (!(error instanceof Stripe.errors.StripeSignatureVerificationError)) throw error;
      rejection = error;
    }
  }
  throw rejection;
};
