import { type Consumer, subscribeOnce } from '@lendtools/event-bus';
import type { Deps } from '../deps.ts';
import { noteBooking, noteDates } from '../tool-repository.ts';

const noted = { BookingHeld: 'held_at', BookingExpired: 'expired_at' } as const;

/**
 * Notes which bookings may still be paid, and when they are: their tools can't be deleted, and are not free then. Holds do not change whether a tool is listed.
 */
export const syncHolds = ({ pool }: Deps): Consumer =>
  subscribeOnce('catalog.keep-holds', pool, async (event, tx) => {
    for (const line of event.data.lines ?? []) {
      await noteBooking(tx, line, noted[event.type], new Date(event.occurredAt));
      await noteDates(tx, line);
    }
  });
