import { type Consumer, subscribe } from '@lendtools/event-bus';
import type { Deps } from '../../deps.ts';
import { bookingCompletedFor } from '../../domain/notice-texts.ts';

/** Notifies both parties, unless the return was confirmed, because its confirmation has already notified them. */
export const notifyPartiesWhenBookingCompleted = (deps: Deps): Consumer =>
  subscribe('notifications.notify-parties-when-booking-completed', async (event) => {
    const { id: eventId, data } = event;
    if (data.returnedAt) return;
    const { bookingId, ownerId, renterId } = data;
    const about = { eventId, bookingId, kind: 'booking-completed' } as const;
    await deps.notices.add(
      { ...about, as: 'owner', userId: ownerId, message: bookingCompletedFor.owner(data) },
      { ...about, as: 'renter', userId: renterId, message: bookingCompletedFor.renter(data) },
    );
  });
