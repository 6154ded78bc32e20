import { deleteInBatches, type Pool } from '@lendtools/service-kit';

/** Stripe retries a webhook for at most three days; 30 days leave time to investigate one. */
export const purgeStripeEvents = (pool: Pool): Promise<number> =>
  deleteInBatches(pool, {
    from: 'stripe_events',
    where: `handled_at < now() - interval '30 days'`,
  });
