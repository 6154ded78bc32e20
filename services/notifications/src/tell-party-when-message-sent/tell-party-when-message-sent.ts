import { type Consumer, subscribe } from '@lendtools/event-bus';
import type { Deps } from '../deps.ts';
import { messageArrived } from '../domain/notice-words.ts';
import { messageEmail } from '../email/booking-emails.ts';
import { addressOf, queueEmail, siteOf } from '../email/queue-email.ts';

/**
 * Creates a notice for each message, and queues a delayed email. Which emails are sent is decided when they are due,
 * by what is still unread. So two people who are chatting get none, and an absent one gets one a day.
 */
export const tellPartyWhenMessageSent = (deps: Deps): Consumer =>
  subscribe('notifications.tell-party-when-message-sent', async ({ id: eventId, data }) => {
    const { toUserId: userId, fromUserId, bookingId } = data;
    const kind = 'message';
    const message = messageArrived(data);
    const [notice] = await deps.notices.add({
      eventId,
      userId,
      fromUserId,
      bookingId,
      kind,
      message,
    });

    const [person, booking] = await Promise.all([
      deps.people.get(userId),
      deps.bookings.get(bookingId),
    ]);
    const dueAt = new Date(Date.now() + deps.config.MESSAGE_MAIL_DELAY_SECONDS * 1_000);
    await queueEmail(
      deps,
      { eventId, template: kind, to: addressOf(person), dueAt, unlessRead: notice?.id },
      messageEmail(siteOf(deps), data, booking.ownerId === userId ? 'owner' : 'renter'),
    );
  });
