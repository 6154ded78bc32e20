import { deleteInBatches, type Pool } from '@lendtools/service-kit';

/**
 * No money ever moved, and none can: the intent is cancelled at Stripe. For a month, support can still find out why.
 */
export const purgeCanceledPayments = (pool: Pool): Promise<number> =>
  deleteInBatches(pool, {
    from: 'payments',
    where: `status = 'canceled' AND succeeded_at IS NULL AND created_at < now() - interval '30 days'`,
  });
