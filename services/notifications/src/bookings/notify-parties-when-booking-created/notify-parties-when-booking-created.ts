import { type Consumer, subscribe } from '@lendtools/event-bus';
import type { Deps } from '../../deps.ts';
import { bookingConfirmed, toolBooked } from '../../domain/notice-texts.ts';
import { addressOf, queueEmail, siteOf } from '../../email/queue-email.ts';
import { bookingConfirmedEmail, toolBookedEmail } from '../../email/templates/booking-emails.ts';

export const notifyPartiesWhenBookingCreated = (deps: Deps): Consumer =>
  subscribe('notifications.notify-parties-when-booking-created', async (event) => {
    const { id: eventId, data } = event;
    const { bookingId, ownerId, renterId, toolName } = data;
    const site = siteOf(deps);
    await Promise.all([
      deps.bookings.add({ _id: bookingId, ownerId, renterId, toolName }),
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

    // Queue emails last: they need the parties' names and addresses, which may not have arrived yet.
    const [owner, renter, canBePaid] = await Promise.all([
      deps.people.get(ownerId),
      deps.people.get(renterId),
      deps.payoutAccounts.isReady(ownerId),
    ]);
    await Promise.all([
      queueEmail(
        deps,
        { eventId, template: 'tool-booked', to: addressOf(owner) },
        toolBookedEmail(site, event, { renter, canBePaid }),
      ),
      queueEmail(
        deps,
        { eventId, template: 'booking-confirmed', to: addressOf(renter) },
        bookingConfirmedEmail(site, event, owner),
      ),
    ]);
  });
