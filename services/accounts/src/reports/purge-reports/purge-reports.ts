import { deleteInBatches, type Pool, type Purge } from '@lendtools/service-kit';

/** Deletes reports two years after their last decision, except those that still hide content. */
export const purgeReports =
  (pool: Pool): Purge =>
  () =>
    deleteInBatches(pool, {
      from: 'reports',
      where: `waiting_since IS NULL AND decided_at < now() - interval '2 years' AND decision <> 'hide'`,
    });
