import { type Consumer, subscribe } from '@lendtools/event-bus';
import type { Deps } from '../deps.ts';

/**
 * Notes when a booking was over: its parties can write for 30 more days. A block closes the thread earlier, but not while the
 * tool is still out.
 */
export const closeThreadWhenBookingOver = ({ threads }: Deps): Consumer =>
  subscribe('messaging.close-thread-when-booking-over', (event) => {
    const { bookingId, ownerId, renterId, toolName } = event.data;
    const thread = { bookingId, ownerId, renterId, toolName };
    if (event.type === 'BookingReturned') return threads.noteReturn(thread, event.version);
    const isToolOut =
      event.type === 'BookingCompleted'
        ? event.data.returnedAt === null
        : new Date(event.data.startsAt) <= new Date(event.occurredAt);
    return threads.noteOver(thread, {
      overAt: new Date(event.occurredAt),
      outVersion: isToolOut ? event.version : undefined,
    });
  });
