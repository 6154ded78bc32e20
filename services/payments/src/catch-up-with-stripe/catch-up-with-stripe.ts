import { type ListPage, reconcile } from '@lendtools/service-kit';
import type Stripe from 'stripe';
import type { Deps } from '../deps.ts';
import { withoutSecrets } from '../stripe-api.ts';
import { outsideTypes } from '../stripe-event-types.ts';
import { eventSchema, takeInEvent } from '../take-in-event.ts';

export const catchUpEveryMs = 3_600_000;

/** Applies events whose webhook got lost. Lists the account's events once an hour instead of reading each payment. */
export const catchUpWithStripe = (deps: Deps): Promise<boolean> =>
  reconcile(deps, 'stripe-events', {
    job: 'catch-up-with-stripe',
    everyMs: catchUpEveryMs,
    read: (page) => listEvents(deps, page),
    keyOf: ({ id }) => id,
    async take(listed) {
      const event = eventSchema.parse(listed);
      const isNew = await takeInEvent(deps, event).catch((error: unknown) => {
        throw withoutSecrets(error);
      });
      const { id: eventId, type } = event;
      if (isNew)
        deps.logger.info(
          { eventId, type },
          'applied an event of Stripe whose webhook did not arrive',
        );
    },
  });

/**
 * Stripe lists the newest events first. The cursor carries the time of the first page, because the next pass starts there: it
 * must include events that happen during this pass.
 */
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
