import { type Consumer, subscribeOnce } from '@lendtools/event-bus';
import type { Deps } from '../deps.ts';
import { recordBooking, recordDates } from '../tool-repository.ts';

const timestampColumns = { BookingHeld: 'held_at', BookingExpired: 'expired_at' } as const;

/**
 * Records active holds and their dates: their tools cannot be deleted and are not free then. Holds do not change
 * whether a tool is listed.
 */
export const syncHolds = ({ pool }: Deps): Consumer =>
  subscribeOnce('catalog.keep-holds', pool, async (event, tx) => {
    for (const line of event.data.lines ?? []) {
      await recordBooking(tx, line, timestampColumns[event.type], new Date(event.occurredAt));
      await recordDates(tx, line);
    }
  });
