import { type Consumer, subscribe } from '@lendtools/event-bus';
import type { Deps } from '../deps.ts';
import { remindersFor } from '../domain/notice-words.ts';
import { reminderEmail } from '../email/booking-emails.ts';
import { addressOf, queueEmail, siteOf } from '../email/queue-email.ts';

/** Reminds the parties of a pick-up or a return, each with a notice and an email, while that is useful. */
export const tellPartiesWhenReminderDue = (deps: Deps): Consumer =>
  subscribe('notifications.tell-parties-when-reminder-due', async ({ id: eventId, data }) => {
    const { bookingId, renterId, ownerId } = data;
    const giveUpAt = new Date(data.usefulUntil);
    // Too late, because this service or an account's event was delayed, or the booking was cancelled meanwhile.
    if (giveUpAt <= new Date() || (await deps.bookings.isCancelled(bookingId))) return;
    const reminders = remindersFor(data);
    await deps.notices.add(
      ...reminders.map(({ party, message }) => {
        const userId = party === 'renter' ? renterId : ownerId;
        return { eventId, bookingId, userId, kind: 'reminder', message } as const;
      }),
    );
    const [renter, owner] = [await deps.people.get(renterId), await deps.people.get(ownerId)];
    for (const { party, message } of reminders) {
      const [person, other] = party === 'renter' ? [renter, owner] : [owner, renter];
      await queueEmail(
        deps,
        { eventId, template: `reminder-${data.kind}`, to: addressOf(person), giveUpAt },
        reminderEmail(siteOf(deps), data, { to: party, message, other }),
      );
    }
  });
