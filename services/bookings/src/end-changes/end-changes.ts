import { inTransaction, type Pool } from '@lendtools/service-kit';
import { lockBooking } from '../booking-repository.ts';
import { bookingsOfStrayChanges, endOpenChange } from '../change-repository.ts';
import { lockHoldsOfEndedChanges } from '../purchase-repository.ts';
import { tellCalendarsOf } from '../settle-change.ts';
import { giveUpChange } from '../settle-purchase.ts';

/**
 * Gives up the holds of changes that ended with their booking, so that their cards are not charged any more; and ends the
 * changes whose hold a replica of the version before has ended. Safe on several replicas at once.
 */
export const endChanges = async (pool: Pool): Promise<void> => {
  await inTransaction(pool, async (tx) => {
    for (const hold of await lockHoldsOfEndedChanges(tx)) await giveUpChange(tx, hold);
  });
  for (const bookingId of await bookingsOfStrayChanges(pool))
    await inTransaction(pool, async (tx) => {
      const booking = await lockBooking(tx, bookingId);
      if (!booking || !(await bookingsOfStrayChanges(tx)).includes(bookingId)) return;
      await endOpenChange(tx, bookingId);
      await tellCalendarsOf(tx, booking);
    });
};
