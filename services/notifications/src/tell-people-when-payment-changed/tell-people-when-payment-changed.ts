import type { Event } from '@lendtools/contracts';
import { type Consumer, subscribe } from '@lendtools/event-bus';
import type { Deps } from '../deps.ts';
import { paymentChangedForAdmin, refundedAtStripeForRenter } from '../domain/payment-words.ts';
import { refundedAtStripeEmail } from '../email/booking-emails.ts';
import { paymentChangedEmail } from '../email/payment-emails.ts';
import { addressOf, queueEmail, siteOf } from '../email/queue-email.ts';
import { notifyAdmins } from '../notify-admins.ts';

type Changed = Event<'BookingPaymentChanged'>;

/** Notifies every admin of money that moved at Stripe, and the renter of a refund made there. */
export const tellPeopleWhenPaymentChanged = (deps: Deps): Consumer =>
  subscribe('notifications.tell-people-when-payment-changed', async (event) => {
    await tellAdmins(deps, event);
    const { change } = event.data;
    if (change.kind === 'refund' && change.outcome === 'given') await tellRenter(deps, event);
  });

const tellAdmins = (deps: Deps, { id: eventId, data }: Changed): Promise<void> =>
  notifyAdmins(deps, {
    eventId,
    bookingId: data.bookings[0]?.bookingId ?? null,
    kind: data.change.kind === 'dispute' ? 'dispute' : 'payment-changed',
    message: paymentChangedForAdmin(data),
    template: 'payment-changed',
    email: paymentChangedEmail(siteOf(deps), data),
  });

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
