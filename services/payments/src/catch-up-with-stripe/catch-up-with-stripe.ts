import { isOutage } from '@lendtools/service-kit';
import type { Deps } from '../deps.ts';
import { withoutSecrets } from '../stripe-api.ts';
import { eventSchema, takeInEvent } from '../take-in-event.ts';

/** What happens at Stripe without us. An intent is asked for by the reconciler, a refund of ours by the job that sent it. */
const types = [
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
  'charge.dispute.closed',
];

/**
 * Takes in the events whose webhook never came. One list each hour for the whole account, instead of a question for
 * each payment: whatever was refunded or disputed since the last look. Claiming the one row is a lease, so one replica
 * looks; a look that fails is repeated from where the last good one ended. The looks overlap by ten minutes, since an
 * event may be listed a little late.
 */
export const catchUpWithStripe = async (deps: Deps): Promise<void> => {
  const { pool, stripe, logger } = deps;
  const { rows } = await pool.query<{ since: number; until: Date }>(
    `UPDATE stripe_catch_up SET next_at = now() + interval '1 hour' WHERE next_at <= now()
     RETURNING extract(epoch FROM caught_up_to - interval '10 minutes')::int AS since, now() AS until`,
  );
  for (const { since, until } of rows) {
    let count = 0;
    const created = { gte: since };
    let failed = 0;
    for await (const event of stripe.events.list({ types, created, limit: 100 })) {
      try {
        if (await takeInEvent(deps, eventSchema.parse(event))) count += 1;
      } catch (error) {
        if (isOutage(error)) throw error;
        failed += 1;
        logger.error(
          { err: withoutSecrets(error), eventId: event.id },
          'an event of Stripe could not be taken in',
        );
      }
    }
    // What could not be taken in is looked at again next time; it holds up no other.
    if (failed === 0) await pool.query('UPDATE stripe_catch_up SET caught_up_to = $1', [until]);
    if (count > 0) logger.info({ count }, "events of Stripe's whose webhook had not come yet");
  }
};
