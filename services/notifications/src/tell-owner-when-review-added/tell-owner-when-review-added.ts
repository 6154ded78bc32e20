import { type Consumer, subscribe } from '@lendtools/event-bus';
import type { Deps } from '../deps.ts';
import { reviewAdded } from '../domain/notice-words.ts';

/** A notice is enough: a review requires nothing of the owner, so there is no email. */
export const tellOwnerWhenReviewAdded = (deps: Deps): Consumer =>
  subscribe('notifications.tell-owner-when-review-added', async ({ id: eventId, data }) => {
    const { ownerId: userId, renterId, bookingId } = data;
    const { firstName } = await deps.people.get(renterId);
    const message = reviewAdded(data, firstName);
    await deps.notices.add({ eventId, userId, bookingId, kind: 'review', message });
  });
