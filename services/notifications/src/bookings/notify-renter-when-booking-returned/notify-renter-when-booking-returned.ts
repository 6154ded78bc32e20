import { type Consumer, subscribe } from '@lendtools/event-bus';
import type { Deps } from '../../deps.ts';
import { bookingReturned } from '../../domain/notice-texts.ts';
import { addressOf, queueEmail, siteOf } from '../../email/queue-email.ts';
import { bookingReturnedEmail } from '../../email/templates/booking-emails.ts';

export const notifyRenterWhenBookingReturned = (deps: Deps): Consumer =>
  subscribe('notifications.notify-renter-when-booking-returned', async ({ id: eventId, data }) => {
    const { bookingId, ownerId, renterId: userId } = data;
    const kind = 'booking-returned';
    await deps.notices.add({ eventId, bookingId, userId, kind, message: bookingReturned(data) });
    const [owner, renter] = await Promise.all([deps.people.get(ownerId), deps.people.get(userId)]);
    await queueEmail(
      deps,
      { eventId, template: kind, to: addressOf(renter) },
      bookingReturnedEmail(siteOf(deps), data, owner),
    );
  });
