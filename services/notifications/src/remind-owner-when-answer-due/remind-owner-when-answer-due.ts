import { type Consumer, subscribe } from '@lendtools/event-bus';
import type { Deps } from '../deps.ts';
import { answerDue } from '../domain/notice-words.ts';
import { addressOf, queueEmail, siteOf } from '../email/queue-email.ts';
import { answerDueEmail } from '../email/request-emails.ts';

/** Reminds the owner of a request or change that lapses soon, unless it has lapsed or the booking was cancelled. */
export const remindOwnerWhenAnswerDue = (deps: Deps): Consumer =>
  subscribe('notifications.remind-owner-when-answer-due', async ({ id: eventId, data }) => {
    const { bookingId, ownerId, renterId } = data;
    const giveUpAt = new Date(data.answerBy);
    if (giveUpAt <= new Date() || (await deps.bookings.isCancelled(bookingId))) return;
    const [owner, renter] = [await deps.people.get(ownerId), await deps.people.get(renterId)];
    const message = answerDue(data, renter.firstName);
    await deps.notices.add({ eventId, bookingId, userId: ownerId, kind: 'reminder', message });
    await queueEmail(
      deps,
      { eventId, template: 'answer-due', to: addressOf(owner), giveUpAt },
      answerDueEmail(siteOf(deps), data, { message, renter }),
    );
  });
