import type { Event } from '@lendtools/contracts';
import { type Consumer, subscribe } from '@lendtools/event-bus';
import type { Deps } from '../../deps.ts';
import { paymentChangedForAdmin, refundedAtStripeForRenter } from '../../domain/payment-texts.ts';
import { addressOf, queueEmail, siteOf } from '../../email/queue-email.ts';
import { refundedAtStripeEmail } from '../../email/templates/booking-emails.ts';
import { paymentChangedEmail } from '../../email/templates/payment-emails.ts';
import { notifyAdmins } from '../../notices/notify-admins.ts';

type PaymentChanged = Event<'BookingPaymentChanged'>;

export const notifyPeopleWhenPaymentChanged = (deps: Deps): Consumer =>
  subscribe('notifications.notify-people-when-payment-changed', async (event) => {
    await notifyAdminsOfChange(deps, event);
    const { change } = event.data;
    if (change.kind === 'refund' && change.outcome === 'refunded') await notifyRenter(deps, event);
  });

const notifyAdminsOfChange = (deps: Deps, { id: eventId, data }: PaymentChanged): Promise<void> =>
  notifyAdmins(deps, {
    permission: 'money',
    eventId,
    bookingId: data.bookings[0]?.bookingId ?? null,
    kind: data.change.kind === 'dispute' ? 'dispute' : 'payment-changed',
    message: paymentChangedForAdmin(data),
    template: 'payment-changed',
    email: paymentChangedEmail(siteOf(deps), data),
  });

const notifyRenter = async (deps: Deps, { id: eventId, data }: PaymentChanged): Promise<void> => {
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
