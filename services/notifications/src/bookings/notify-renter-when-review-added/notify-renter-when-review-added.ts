import { type Consumer, subscribe } from '@lendtools/event-bus';
import type { Deps } from '../../deps.ts';
import { renterReviewAdded } from '../../domain/notice-texts.ts';

/** Adds a notice but sends no email, because a review requires nothing of the renter. */
export const notifyRenterWhenReviewAdded = (deps: Deps): Consumer =>
  subscribe('notifications.notify-renter-when-review-added', async ({ id: eventId, data }) => {
    const { ownerId, renterId: userId, bookingId } = data;
    const { firstName } = await deps.people.get(ownerId);
    const message = renterReviewAdded(data, firstName);
    await deps.notices.add({ eventId, userId, bookingId, kind: 'review', message });
  });
