import { termsLimits } from '@lendtools/contracts/terms-limits';
import { olderThan, type Pool, purgeRows } from '@lendtools/service-kit';

/** Clears the dates of bookings that ended so long ago that even the longest buffer after them is over. */
export const purgePastDates = (pool: Pool): Promise<number> =>
  purgeRows(pool, {
    async find(tx, { skip, limit }) {
      const { rows } = await tx.query<{ id: string }>(
        `SELECT booking_id AS id FROM tool_bookings
         WHERE ${olderThan('ends_at', termsLimits.buffer + 2)} AND booking_id <> ALL ($1::uuid[])
         LIMIT $2 FOR UPDATE SKIP LOCKED`,
        [skip, limit],
      );
      return rows.map(({ id }) => id);
    },
    async purge(tx, ids) {
      await tx.query(
        'UPDATE tool_bookings SET starts_at = NULL, ends_at = NULL, units = NULL WHERE booking_id = ANY ($1)',
        [ids],
      );
    },
  });
