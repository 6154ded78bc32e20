import { type Consumer, subscribe } from '@lendtools/event-bus';
import type { Deps } from '../../deps.ts';
import { datesChangedFor } from '../../domain/notice-texts.ts';
import { addressOf, queueEmail, siteOf } from '../../email/queue-email.ts';
import { datesChangedEmail } from '../../email/templates/booking-emails.ts';

export const notifyPartiesWhenBookingChanged = (deps: Deps): Consumer =>
  subscribe('notifications.notify-parties-when-booking-changed', async (event) => {
    const { id: eventId, data } = event;
    const { bookingId, ownerId, renterId } = data;
    const kind = 'booking-changed';
    const [owner, renter] = await Promise.all([
      deps.people.get(ownerId),
      deps.people.get(renterId),
    ]);
    const recipients = [
      { as: 'owner', userId: ownerId, message: datesChangedFor('owner', data, renter.firstName) },
      { as: 'renter', userId: renterId, message: datesChangedFor('renter', data, owner.firstName) },
    ] as const;
    await deps.notices.add(
      ...recipients.map(
        ({ as, userId, message }) => ({ eventId, bookingId, userId, kind, as, message }) as const,
      ),
    );
    for (const { as, message } of recipients) {
      const [to, other] = as === 'owner' ? [owner, renter] : [renter, owner];
      const email = datesChangedEmail(siteOf(deps), event, { as, message, other });
      await queueEmail(deps, { eventId, template: kind, as, to: addressOf(to) }, email);
    }
  });
