import { termsLimits } from '@lendtools/contracts/terms-limits';
import { inBatches, type Pool } from '@lendtools/service-kit';

/** Forgets when a booking was, once it keeps nobody from the tool, not even by the longest buffer. */
export const purgePastDates = (pool: Pool): Promise<number> =>
  inBatches({}, async (batchSize) => {
    const { rowCount } = await pool.query(
      `UPDATE tool_bookings SET starts_at = NULL, ends_at = NULL, units = NULL WHERE booking_id = ANY (ARRAY(
         SELECT booking_id FROM tool_bookings WHERE ends_at < now() - interval '${termsLimits.buffer + 2} days'
         LIMIT ${batchSize} FOR UPDATE SKIP LOCKED))`,
    );
    return rowCount ?? 0;
  });
