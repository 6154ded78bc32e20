import { deleteInBatches, type Pool } from '@lendtools/service-kit';

/** Deletes removed tools without bookings after 30 days. A tool with bookings is kept as long as they are. */
export const purgeRemovedTools = (pool: Pool): Promise<number> =>
  deleteInBatches(pool, {
    from: 'tools',
    where: `removed_at < now() - interval '30 days'
      AND NOT EXISTS (SELECT FROM tool_bookings b WHERE b.tool_id = tools.id)`,
  });
