import { type Consumer, subscribe } from '@lendtools/event-bus';
import type { Deps } from '../../deps.ts';
import { reviewDueFor } from '../../domain/notice-texts.ts';
import { addressOf, queueEmail, siteOf } from '../../email/queue-email.ts';
import { reviewDueEmail } from '../../email/templates/booking-emails.ts';

/** Reminds the parties that have not written a review, while they still can. */
export const remindPartiesWhenReviewDue = (deps: Deps): Consumer =>
  subscribe('notifications.remind-parties-when-review-due', async ({ id: eventId, data }) => {
    const { bookingId, ownerId, renterId, missing } = data;
    const giveUpAt = new Date(data.closesAt);
    if (giveUpAt <= new Date()) return;
    const [owner, renter] = [await deps.people.get(ownerId), await deps.people.get(renterId)];
    for (const party of missing) {
      const [person, other] = party === 'owner' ? [owner, renter] : [renter, owner];
      const message = reviewDueFor[party](data, other.firstName);
      const userId = party === 'owner' ? ownerId : renterId;
      await deps.notices.add({ eventId, bookingId, userId, kind: 'reminder', message });
      await queueEmail(
        deps,
        { eventId, template: 'review-due', to: addressOf(person), giveUpAt },
        reviewDueEmail(siteOf(deps), data, { to: party, message }),
      );
    }
  });
