import { inBatches, type Pool } from '@lendtools/service-kit';

/**
 * Deletes the removed tools that nobody has rented, with their units. After a month no event about them can still be
 * in transit: the inbox keeps its notes as long.
 */
export const purgeRemovedTools = (pool: Pool): Promise<number> =>
  inBatches({ batchSize: 200 }, async (batchSize) => {
    const { rowCount } = await pool.query(
      `WITH gone AS (
         SELECT id FROM tools t WHERE removed_at < now() - interval '30 days'
           AND NOT EXISTS (SELECT FROM bookings b WHERE b.tool_id = t.id)
         LIMIT ${batchSize} FOR UPDATE SKIP LOCKED
       ), their_units AS (DELETE FROM units u USING gone WHERE u.tool_id = gone.id)
       DELETE FROM tools t USING gone WHERE t.id = gone.id`,
    );
    return rowCount ?? 0;
  });
