import { deleteInBatches, type Pool } from '@lendtools/service-kit';

/** Deletes unpaid holds after a week. Otherwise, a hold whose end event was lost would keep its tool from being deleted. */
export const purgeUnpaidHolds = (pool: Pool): Promise<number> =>
  deleteInBatches(pool, {
    from: 'tool_bookings',
    where: `booked_at IS NULL AND returned_at IS NULL AND cancelled_at IS NULL
      AND coalesce(expired_at, held_at) < now() - interval '7 days'`,
  });
