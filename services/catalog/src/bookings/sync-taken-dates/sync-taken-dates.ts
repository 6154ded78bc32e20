import { type Consumer, subscribeOnce } from '@lendtools/event-bus';
import type { Deps } from '../../deps.ts';
import { recordBooking, recordDates } from '../../store/tool-booking-repository.ts';

/** Records bookings and holds whose own events were lost. Without these records, their tools could be deleted. */
export const syncTakenDates = ({ pool }: Deps): Consumer =>
  subscribeOnce('catalog.sync-taken-dates', pool, async ({ data, occurredAt }, tx) => {
    for (const booking of data.taken ?? []) {
      const { bookedAt } = booking;
      const column = bookedAt ? 'booked_at' : 'held_at';
      await recordBooking(tx, booking, column, new Date(bookedAt ?? occurredAt));
      await recordDates(tx, booking);
    }
  });
