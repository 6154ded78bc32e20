import { type Consumer, subscribe } from '@lendtools/event-bus';
import type { Deps } from '../deps.ts';
import { bookingCompletedFor } from '../domain/notice-words.ts';

/** The first release that completes bookings also completes those of years ago; don't notify about these. */
const newsworthyMs = 30 * 86_400_000;

/**
 * Notifies both parties of a booking that completed without a confirmed return. A confirmed return was already
 * notified.
 */
export const tellPartiesWhenBookingCompleted = (deps: Deps): Consumer =>
  subscribe('notifications.tell-parties-when-booking-completed', async (event) => {
    const { id: eventId, occurredAt, data } = event;
    const isOld = Date.parse(occurredAt) - Date.parse(data.endsAt) > newsworthyMs;
    if (data.returnedAt || isOld) return;
    const { bookingId, ownerId, renterId } = data;
    const about = { eventId, bookingId, kind: 'booking-completed' } as const;
    await deps.notices.add(
      { ...about, userId: ownerId, message: bookingCompletedFor.owner(data) },
      { ...about, userId: renterId, message: bookingCompletedFor.renter(data) },
    );
  });
