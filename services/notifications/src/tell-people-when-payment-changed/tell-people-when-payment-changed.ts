import type { Event } from '@lendtools/contracts';
import { type Consumer, subscribe } from '@lendtools/event-bus';
import type { Deps } from '../deps.ts';
import { paymentChangedForAdmin, refundedAtStripeForRenter } from '../domain/notice-words.ts';
import { paymentChangedEmail, refundedAtStripeEmail } from '../email/booking-emails.ts';
import { addressOf, queueEmail, siteOf } from '../email/queue-email.ts';

type Changed = Event<'BookingPaymentChanged'>;

/** Money moved at Stripe itself: every admin learns of it, and the renter of what goes back to the card. */
export const tellPeopleWhenPaymentChanged = (deps: Deps): Consumer =>
  subscribe('notifications.tell-people-when-payment-changed', async (event) => {
    await tellAdmins(deps, event);
    const { change } = event.data;
    if (change.kind === 'refund' && change.outcome === 'given') await tellRenter(deps, event);
  });

const tellAdmins = async (deps: Deps, { id: eventId, data }: Changed): Promise<void> => {
  const adminIds = await deps.admins.listIds();
  const kind = 'payment-changed';
  const bookingId = data.bookings[0]?.bookingId ?? null;
  const message = paymentChangedForAdmin(data);
  // Each admin has a notice before the first email is queued.
  await deps.notices.add(
    ...adminIds.map((userId) => ({ eventId, userId, bookingId, kind, message }) as const),
  );
  for (const adminId of adminIds) {
    await queueEmail(
      deps,
      { eventId, template: kind, to: addressOf(await deps.people.get(adminId)) },
      paymentChangedEmail(siteOf(deps), data),
    );
  }
  if (adminIds.length === 0) deps.logger.error({ message }, 'there is no admin to be told');
};

const tellRenter = async (deps: Deps, { id: eventId, data }: Changed): Promise<void> => {
  const { renterId: userId, bookings } = data;
  const bookingId = bookings[0]?.bookingId ?? null;
  const message = refundedAtStripeForRenter(data);
  await deps.notices.add({ eventId, userId, bookingId, kind: 'booking-refunded', message });
  await queueEmail(
    deps,
    { eventId, template: 'refunded-at-stripe', to: addressOf(await deps.people.get(userId)) },
    refundedAtStripeEmail(siteOf(deps), data),
  );
};
