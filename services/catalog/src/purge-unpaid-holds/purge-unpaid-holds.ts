import { deleteInBatches, type Pool } from '@lendtools/service-kit';

/**
 * Deletes the rows of holds that were never paid. After a week none is active, even if the event of its end is
 * missing; such a row would otherwise keep its tool from being deleted. If a hold is paid after all, `BookingCreated`
 * creates the row again.
 */
export const purgeUnpaidHolds = (pool: Pool): Promise<number> =>
  deleteInBatches(pool, {
    from: 'tool_bookings',
    where: `booked_at IS NULL AND returned_at IS NULL AND cancelled_at IS NULL
      AND coalesce(expired_at, held_at) < now() - interval '7 days'`,
  });
