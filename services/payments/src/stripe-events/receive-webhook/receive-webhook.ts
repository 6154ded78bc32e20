import { routes } from '@lendtools/contracts';
import { handle } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { webhookLag } from '../../store/payment-metrics.ts';
import { applyStripeEvent, eventSchema } from '../apply-stripe-event.ts';
import { readSignedEvent } from '../read-signed-event.ts';

/** Throws every failure, because Stripe retries until it gets a 2xx. */
export const receiveWebhook = (deps: Deps) =>
  handle(routes.paymentWebhook, async ({ request }) => {
    const secrets = deps.config.STRIPE_WEBHOOK_SECRET;
    const event = readSignedEvent(deps, request, { secrets, schema: eventSchema });
    if (await applyStripeEvent(deps, event)) webhookLag.observe(Date.now() / 1_000 - event.created);
    return { received: true as const };
  });
