import { type Consumer, subscribe } from '@lendtools/event-bus';
import type { Deps } from '../../deps.ts';
import { reviewAdded } from '../../domain/notice-texts.ts';

/** Adds a notice but sends no email, because a review requires nothing of the owner. */
export const notifyOwnerWhenReviewAdded = (deps: Deps): Consumer =>
  subscribe('notifications.notify-owner-when-review-added', async ({ id: eventId, data }) => {
    const { ownerId: userId, renterId, bookingId } = data;
    const { firstName } = await deps.people.get(renterId);
    const message = reviewAdded(data, firstName);
    await deps.notices.add({ eventId, userId, bookingId, kind: 'review', message });
  });
