import { type Consumer, subscribe } from '@lendtools/event-bus';
import type { Deps } from '../../deps.ts';
import { messageArrived } from '../../domain/notice-texts.ts';
import { addressOf, queueEmail, siteOf } from '../../email/queue-email.ts';
import { messageEmail } from '../../email/templates/booking-emails.ts';

/** Adds a notice, and a delayed email that is dropped if the message has been read by then. An absent user gets one email a day. */
export const notifyPartyWhenMessageSent = (deps: Deps): Consumer =>
  subscribe('notifications.notify-party-when-message-sent', async ({ id: eventId, data }) => {
    const { toUserId: userId, fromUserId, bookingId, question } = data;
    const kind = question ? 'question' : 'message';
    const message = messageArrived(data);
    const [notice] = await deps.notices.add({
      eventId,
      userId,
      fromUserId,
      bookingId,
      kind,
      message,
    });

    const [person, { ownerId }] = await Promise.all([
      deps.people.get(userId),
      question ?? deps.bookings.get(bookingId),
    ]);
    const dueAt = new Date(Date.now() + deps.config.MESSAGE_MAIL_DELAY_SECONDS * 1_000);
    await queueEmail(
      deps,
      { eventId, template: kind, to: addressOf(person), dueAt, unlessRead: notice?.id },
      messageEmail(siteOf(deps), data, ownerId === userId ? 'owner' : 'renter'),
    );
  });
