import { type Consumer, subscribe } from '@lendtools/event-bus';
import type { Deps } from '../../deps.ts';
import { refundGranted } from '../../domain/notice-texts.ts';
import { addressOf, queueEmail, siteOf } from '../../email/queue-email.ts';
import { refundGrantedEmail } from '../../email/templates/booking-emails.ts';

export const notifyRenterWhenRefundGranted = (deps: Deps): Consumer =>
  subscribe('notifications.notify-renter-when-refund-granted', async ({ id: eventId, data }) => {
    const { renterId: userId, bookingId } = data;
    const kind = 'booking-refunded';
    await deps.notices.add({ eventId, userId, bookingId, kind, message: refundGranted(data) });
    await queueEmail(
      deps,
      { eventId, template: 'refund-granted', to: addressOf(await deps.people.get(userId)) },
      refundGrantedEmail(siteOf(deps), data),
    );
  });
