import type { Event } from '@lendtools/contracts';
import { type Consumer, subscribe } from '@lendtools/event-bus';
import type { Deps } from '../deps.ts';
import { bookingReturned, cancelledForOwner, cancelledForRenter } from '../domain/notice-words.ts';
import { bookingReturnedEmail, cancelledEmail } from '../email/booking-emails.ts';
import { addressOf, queueEmail, siteOf } from '../email/queue-email.ts';

/**
 * Thanks the renter for a return, and notifies both parties of a cancellation. Changed dates are handled by
 * `tell-parties-when-dates-changed`.
 */
export const tellPartiesWhenBookingChanged = (deps: Deps): Consumer =>
  subscribe('notifications.tell-parties-when-booking-changed', (event) =>
    event.type === 'BookingReturned' ? thankRenter(deps, event) : tellBoth(deps, event),
  );

const thankRenter = async (
  deps: Deps,
  { id: eventId, data }: Event<'BookingReturned'>,
): Promise<void> => {
  const { bookingId, ownerId, renterId } = data;
  await deps.notices.add({
    eventId,
    bookingId,
    userId: renterId,
    kind: 'booking-returned',
    message: bookingReturned(data),
  });
  const [owner, renter] = await Promise.all([deps.people.get(ownerId), deps.people.get(renterId)]);
  await queueEmail(
    deps,
    { eventId, template: 'booking-returned', to: addressOf(renter) },
    bookingReturnedEmail(siteOf(deps), data, owner),
  );
};

const tellBoth = async (deps: Deps, event: Event<'BookingCancelled'>): Promise<void> => {
  const { id: eventId, data } = event;
  const kind = 'booking-cancelled';
  const { bookingId, ownerId, renterId, toolName } = data;
  await deps.bookings.cancel({ _id: bookingId, ownerId, renterId, toolName });
  const recipients = [
    { party: 'renter', userId: renterId, message: cancelledForRenter(data) },
    { party: 'owner', userId: ownerId, message: cancelledForOwner(data) },
  ] as const;
  await deps.notices.add(
    ...recipients.map(
      ({ userId, message }) => ({ eventId, bookingId, userId, kind, message }) as const,
    ),
  );
  const [renter, owner] = await Promise.all([deps.people.get(renterId), deps.people.get(ownerId)]);
  for (const { party } of recipients) {
    const [to, other] = party === 'renter' ? [renter, owner] : [owner, renter];
    await queueEmail(
      deps,
      { eventId, template: kind, to: addressOf(to) },
      cancelledEmail(siteOf(deps), event, party, other),
    );
  }
};
