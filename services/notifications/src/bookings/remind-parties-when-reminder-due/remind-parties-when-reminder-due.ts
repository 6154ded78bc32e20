import { type Consumer, subscribe } from '@lendtools/event-bus';
import type { Deps } from '../../deps.ts';
import { remindersFor } from '../../domain/notice-texts.ts';
import { addressOf, queueEmail, siteOf } from '../../email/queue-email.ts';
import { reminderEmail } from '../../email/templates/booking-emails.ts';

export const remindPartiesWhenReminderDue = (deps: Deps): Consumer =>
  subscribe('notifications.remind-parties-when-reminder-due', async ({ id: eventId, data }) => {
    const { bookingId, renterId, ownerId } = data;
    const giveUpAt = new Date(data.usefulUntil);
    // Send no reminder that comes too late to be useful, or whose booking was cancelled meanwhile.
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
