import { type Consumer, subscribeOnce } from '@lendtools/event-bus';
import type { Deps } from '../deps.ts';
import { noteBooking } from '../tool-repository.ts';

const noted = { BookingHeld: 'held_at', BookingExpired: 'expired_at' } as const;

/**
 * Notes which bookings may still be paid: their tools can't be deleted. Holds do not change whether a tool is listed.
 */
export const syncHolds = ({ pool }: Deps): Consumer =>
  subscribeOnce('catalog.keep-holds', pool, async (event, tx) => {
    for (const line of event.data.lines ?? [])
      await noteBooking(tx, line, noted[event.type], new Date(event.occurredAt));
  });
