import { type Consumer, subscribe } from '@lendtools/event-bus';
import type { Deps } from '../deps.ts';
import { bookingConfirmed, toolBooked } from '../domain/notice-words.ts';
import { bookingConfirmedEmail, toolBookedEmail } from '../email/booking-emails.ts';
import { addressOf, queueEmail, siteOf } from '../email/queue-email.ts';

/** Notifies owner and renter of a booking, each with a notice and an email. */
export const tellPartiesWhenBookingCreated = (deps: Deps): Consumer =>
  subscribe('notifications.tell-parties-when-booking-created', async (event) => {
    const { id: eventId, data } = event;
    const { bookingId, ownerId, renterId, toolName } = data;
    const site = siteOf(deps);
    await Promise.all([
      deps.bookings.keep({ _id: bookingId, ownerId, renterId, toolName }),
      deps.notices.add(
        { eventId, bookingId, userId: ownerId, kind: 'tool-booked', message: toolBooked(data) },
        {
          eventId,
          bookingId,
          userId: renterId,
          kind: 'booking-confirmed',
          message: bookingConfirmed(data),
        },
      ),
    ]);

    // After the notices, which only need the event: a person's data may not have arrived yet.
    const [owner, renter] = await Promise.all([
      deps.people.get(ownerId),
      deps.people.get(renterId),
    ]);
    await Promise.all([
      queueEmail(
        deps,
        { eventId, template: 'tool-booked', to: addressOf(owner) },
        toolBookedEmail(site, event, renter),
      ),
      queueEmail(
        deps,
        { eventId, template: 'booking-confirmed', to: addressOf(renter) },
        bookingConfirmedEmail(site, event, owner),
      ),
    ]);
  });
