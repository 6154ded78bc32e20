import { deleteInBatches, type Pool } from '@lendtools/service-kit';

/** Deletes payments that were canceled 30 days ago: they moved no money, and their intents can't be paid any more. */
export const purgeCanceledPayments = (pool: Pool): Promise<number> =>
  deleteInBatches(pool, {
    from: 'payments',
    where: `status = 'canceled' AND succeeded_at IS NULL AND created_at < now() - interval '30 days'`,
  });
