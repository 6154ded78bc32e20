import { deleteInBatches, type Pool } from '@lendtools/service-kit';

/** Stripe retries a webhook for at most three days. Events are kept for 30 days, so that they can be investigated. */
export const purgeStripeEvents = (pool: Pool): Promise<number> =>
  deleteInBatches(pool, {
    from: 'stripe_events',
    where: `handled_at < now() - interval '30 days'`,
  });
