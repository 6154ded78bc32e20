import { routes } from '@lendtools/contracts';
import { handle } from '@lendtools/service-kit';
import Stripe from 'stripe';
import type { Deps } from '../deps.ts';
import { webhookSignatureInvalid, webhookUnreadable } from '../errors.ts';
import { webhookLag } from '../payment-metrics.ts';
import { withoutSecrets } from '../stripe-api.ts';
import { eventSchema, type StripeEvent, takeInEvent } from '../take-in-event.ts';

const toleranceSeconds = 300;

/** A webhook from Stripe, which sends again until it gets a 2xx, so whatever fails here is thrown. */
export const receiveWebhook = (deps: Deps) =>
  handle(routes.paymentWebhook, async ({ request }) => {
    const event = readSigned(deps, request.body, request.get('stripe-signature'));
    if (await takeInEvent(deps, event)) webhookLag.observe(Date.now() / 1_000 - event.created);
    return { received: true as const };
  });

/** Each refusal leaves a line in the log: with a wrong secret nothing else would show that no webhook gets through. */
const readSigned = (deps: Deps, body: unknown, header?: string): StripeEvent => {
  const { logger } = deps;
  try {
    if (!Buffer.isBuffer(body)) throw new Error('There is no body');
    return eventSchema.parse(constructEvent(deps, body, header ?? ''));
  } catch (error) {
    logger.warn({ err: withoutSecrets(error) }, 'a webhook was refused');
    throw error instanceof Stripe.errors.StripeSignatureVerificationError
      ? webhookSignatureInvalid()
      : webhookUnreadable();
  }
};

/** While the secret is rolled, Stripe signs with the old one, the new one or both. */
const constructEvent = ({ stripe, config }: Deps, body: Buffer, header: string): Stripe.Event => {
  let refusal: unknown;
  for (const secret of config.STRIPE_WEBHOOK_SECRET) {
    try {
      return stripe.webhooks.constructEvent(body, header, secret, toleranceSeconds);
    } catch (error) {
      if (!(error instanceof Stripe.errors.StripeSignatureVerificationError)) throw error;
      refusal = error;
    }
  }
  throw refusal;
};
