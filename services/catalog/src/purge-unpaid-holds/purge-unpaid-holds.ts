import { deleteInBatches, type Pool } from '@lendtools/service-kit';

/**
 * Deletes the notes of holds that were never paid. After a week none is alive, whether or not the event of its end arrived:
 * what lies longer must not keep a tool from being deleted for ever. One paid after all begins anew with its booking.
 */
export const purgeUnpaidHolds = (pool: Pool): Promise<number> =>
  deleteInBatches(pool, {
    from: 'tool_bookings',
    where: `booked_at IS NULL AND returned_at IS NULL AND cancelled_at IS NULL
      AND coalesce(expired_at, held_at) < now() - interval '7 days'`,
  });
