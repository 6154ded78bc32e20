import { deleteInBatches, type Pool } from '@lendtools/service-kit';

/** No money moved, and none can: the intent is canceled at Stripe. Support can look them up for 30 days. */
export const purgeCanceledPayments = (pool: Pool): Promise<number> =>
  deleteInBatches(pool, {
    from: 'payments',
    where: `status = 'canceled' AND succeeded_at IS NULL AND created_at < now() - interval '30 days'`,
  });
