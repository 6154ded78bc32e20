import { type Consumer, subscribeOnce } from '@lendtools/event-bus';
import type { Deps } from '../../deps.ts';
import { recordBooking, recordDates } from '../../store/tool-booking-repository.ts';

const timestampColumns = { BookingHeld: 'held_at', BookingExpired: 'expired_at' } as const;

/** Stores holds: their dates are not free, and their tools cannot be deleted. A hold does not change whether its tool is listed. */
export const syncHolds = ({ pool }: Deps): Consumer =>
  subscribeOnce('catalog.sync-holds', pool, async (event, tx) => {
    for (const line of event.data.lines)
      await recordBooking(tx, line, timestampColumns[event.type], new Date(event.occurredAt));
    if (event.type === 'BookingHeld')
      for (const line of event.data.lines) await recordDates(tx, line);
  });
