import { deleteInBatches, type Pool } from '@lendtools/service-kit';

/** Stripe sends an event again for three days at most; a month leaves time to look into one. */
export const purgeStripeEvents = (pool: Pool): Promise<number> =>
  deleteInBatches(pool, {
    from: 'stripe_events',
    where: `handled_at < now() - interval '30 days'`,
  });
