import { type ListPage, reconcile } from '@lendtools/service-kit';
import type Stripe from 'stripe';
import type { Deps } from '../../deps.ts';
import { withoutSecrets } from '../../stripe/stripe-api.ts';
import { outsideTypes } from '../../stripe/stripe-event-types.ts';
import { applyStripeEvent, eventSchema } from '../apply-stripe-event.ts';

export const reconcileEventsEveryMs = 3_600_000;

/** Lists the account's events once an hour, to find those whose webhook got lost, instead of reading each payment. */
export const reconcileStripeEvents = (deps: Deps): Promise<boolean> =>
  reconcile(deps, 'stripe-events', {
    job: 'reconcile-stripe-events',
    everyMs: reconcileEventsEveryMs,
    read: (page) => listEvents(deps, page),
    keyOf: ({ id }) => id,
    async take(listed) {
      const event = eventSchema.parse(listed);
      const isNew = await applyStripeEvent(deps, event).catch((error: unknown) => {
        throw withoutSecrets(error);
      });
      const { id: eventId, type } = event;
      if (isNew)
        deps.logger.info(
          { eventId, type },
          'applied an event of Stripe whose webhook did not arrive',
        );
    },
  }).catch((error: unknown) => {
    throw withoutSecrets(error);
  });

/** The cursor contains the time of the run's first page. The next run lists events from that time on. */
const listEvents = async (
  { stripe }: Deps,
  { since, cursor }: { since: string; cursor?: string },
): Promise<ListPage<Stripe.Event>> => {
  const [upTo = '', after] = cursor?.split(' ') ?? [new Date().toISOString()];
  const { data, has_more } = await stripe.events.list({
    types: outsideTypes,
    limit: 100,
    created: { gte: Math.floor(Date.parse(since) / 1_000) },
    ...(after && { starting_after: after }),
  });
  const last = has_more && data.at(-1);
  return { items: data, nextCursor: last ? `${upTo} ${last.id}` : null, upTo };
};
