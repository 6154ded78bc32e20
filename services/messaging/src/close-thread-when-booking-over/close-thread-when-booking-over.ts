import { type Consumer, subscribe } from '@lendtools/event-bus';
import type { Deps } from '../deps.ts';

/** Notes when a booking was over: its parties can write for 30 more days. */
export const closeThreadWhenBookingOver = ({ threads }: Deps): Consumer =>
  subscribe('messaging.close-thread-when-booking-over', ({ occurredAt, data }) => {
    const { bookingId, ownerId, renterId, toolName } = data;
    return threads.noteOver({ bookingId, ownerId, renterId, toolName }, new Date(occurredAt));
  });
