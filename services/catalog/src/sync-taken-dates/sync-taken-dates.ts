import { type Consumer, subscribeOnce } from '@lendtools/event-bus';
import type { Deps } from '../deps.ts';
import { recordBooking, recordDates } from '../tool-repository.ts';

/**
 * Records the dates of bookings whose own events did not contain them. If no event of a booking arrived, this also
 * records the booking, or its tool could be deleted.
 */
export const syncTakenDates = ({ pool }: Deps): Consumer =>
  subscribeOnce('catalog.sync-taken-dates', pool, async ({ data, occurredAt }, tx) => {
    for (const booking of data.taken ?? []) {
      const { bookedAt } = booking;
      const what = bookedAt ? 'booked_at' : 'held_at';
      await recordBooking(tx, booking, what, new Date(bookedAt ?? occurredAt));
      await recordDates(tx, booking);
    }
  });
