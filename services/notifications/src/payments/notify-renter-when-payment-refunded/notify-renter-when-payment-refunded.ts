import { type Consumer, subscribe } from '@lendtools/event-bus';
import type { Deps } from '../../deps.ts';
import { paymentRefunded } from '../../domain/notice-texts.ts';
import { addressOf, queueEmail, siteOf } from '../../email/queue-email.ts';
import { creditNoteEmail, refundedEmail } from '../../email/templates/booking-emails.ts';

export const notifyRenterWhenPaymentRefunded = (deps: Deps): Consumer =>
  subscribe('notifications.notify-renter-when-payment-refunded', async ({ id: eventId, data }) => {
    const { userId, bookingId, reason } = data;
    const site = siteOf(deps);
    // Send only the credit note: the renter was notified when the refund was granted or the booking changed.
    if (reason === 'admin' || reason === 'changed') {
      const to = addressOf(await deps.people.get(userId));
      const email = creditNoteEmail(site, data);
      return queueEmail(deps, { eventId, template: 'credit-note', to }, email);
    }
    const refund = { ...data, reason };
    const kind = 'booking-refunded';
    await deps.notices.add({ eventId, userId, bookingId, kind, message: paymentRefunded(refund) });
    await queueEmail(
      deps,
      { eventId, template: kind, to: addressOf(await deps.people.get(userId)) },
      refundedEmail(site, refund),
    );
  });
