import { deleteInBatches, type Pool } from '@lendtools/service-kit';

/** Deletes removed tools without bookings 30 days after their removal. Removed tools with bookings stay as long as their bookings. */
export const purgeRemovedTools = (pool: Pool): Promise<number> =>
  deleteInBatches(pool, {
    from: 'tools',
    where: `removed_at < now() - interval '30 days'
      AND NOT EXISTS (SELECT FROM tool_bookings b WHERE b.tool_id = tools.id)`,
  });
