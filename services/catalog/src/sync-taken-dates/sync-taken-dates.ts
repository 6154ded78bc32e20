import { type Consumer, subscribeOnce } from '@lendtools/event-bus';
import type { Deps } from '../deps.ts';
import { noteBooking, noteDates } from '../tool-repository.ts';

/**
 * Notes when bookings are that were made before their own events said so. Those of which no event arrived are noted as made as
 * well: else their tool could be deleted.
 */
export const syncTakenDates = ({ pool }: Deps): Consumer =>
  subscribeOnce('catalog.sync-taken-dates', pool, async ({ data, occurredAt }, tx) => {
    for (const booking of data.taken ?? []) {
      const { bookedAt } = booking;
      const what = bookedAt ? 'booked_at' : 'held_at';
      await noteBooking(tx, booking, what, new Date(bookedAt ?? occurredAt));
      await noteDates(tx, booking);
    }
  });
