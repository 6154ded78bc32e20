import { type Consumer, subscribe } from '@lendtools/event-bus';
import type { Deps } from '../../deps.ts';
import { cancelledForOwner, cancelledForRenter } from '../../domain/notice-texts.ts';
import { addressOf, queueEmail, siteOf } from '../../email/queue-email.ts';
import { cancelledEmail } from '../../email/templates/booking-emails.ts';

export const notifyPartiesWhenBookingCancelled = (deps: Deps): Consumer =>
  subscribe('notifications.notify-parties-when-booking-cancelled', async (event) => {
    const { id: eventId, data } = event;
    const kind = 'booking-cancelled';
    const { bookingId, ownerId, renterId, toolName } = data;
    await deps.bookings.cancel({ _id: bookingId, ownerId, renterId, toolName });
    const recipients = [
      { as: 'renter', userId: renterId, message: cancelledForRenter(data) },
      { as: 'owner', userId: ownerId, message: cancelledForOwner(data) },
    ] as const;
    await deps.notices.add(
      ...recipients.map(
        ({ userId, message }) => ({ eventId, bookingId, userId, kind, message }) as const,
      ),
    );
    const [renter, owner] = await Promise.all([
      deps.people.get(renterId),
      deps.people.get(ownerId),
    ]);
    for (const { as } of recipients) {
      const [to, other] = as === 'renter' ? [renter, owner] : [owner, renter];
      await queueEmail(
        deps,
        { eventId, template: kind, to: addressOf(to) },
        cancelledEmail(siteOf(deps), event, as, other),
      );
    }
  });
