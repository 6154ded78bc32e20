import { type Consumer, subscribe } from '@lendtools/event-bus';
import type { Deps } from '../../deps.ts';
import { approvalDue } from '../../domain/notice-texts.ts';
import { addressOf, queueEmail, siteOf } from '../../email/queue-email.ts';
import { approvalDueEmail } from '../../email/templates/approval-emails.ts';

/** Reminds the owner of a request that lapses soon, unless the request has lapsed already or its booking was cancelled. */
export const remindOwnerWhenApprovalDue = (deps: Deps): Consumer =>
  subscribe('notifications.remind-owner-when-approval-due', async ({ id: eventId, data }) => {
    const { bookingId, ownerId, renterId } = data;
    const giveUpAt = new Date(data.answerBy);
    if (giveUpAt <= new Date() || (await deps.bookings.isCancelled(bookingId))) return;
    const [owner, renter] = [await deps.people.get(ownerId), await deps.people.get(renterId)];
    const message = approvalDue(data, renter.firstName);
    await deps.notices.add({ eventId, bookingId, userId: ownerId, kind: 'reminder', message });
    await queueEmail(
      deps,
      { eventId, template: 'answer-due', to: addressOf(owner), giveUpAt },
      approvalDueEmail(siteOf(deps), data, { message, renter }),
    );
  });
