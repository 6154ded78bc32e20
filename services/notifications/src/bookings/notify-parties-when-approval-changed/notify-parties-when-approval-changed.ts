import type { Event } from '@lendtools/contracts';
import { type Consumer, subscribe } from '@lendtools/event-bus';
import type { Deps } from '../../deps.ts';
import { approvalEndedFor, approvalRequestedFor } from '../../domain/notice-texts.ts';
import type { Party } from '../../domain/topics.ts';
import type { EmailContent } from '../../email/email-content.ts';
import { addressOf, queueEmail, siteOf } from '../../email/queue-email.ts';
import {
  approvalEndedEmail,
  approvalRequestedEmail,
} from '../../email/templates/approval-emails.ts';
import type { Person } from '../../store/people-repository.ts';

/**
 * Notifies both parties when a booking or a change awaits the owner's approval, and when the request ends without
 * approval. After an approval, other consumers notify them of the booking or the change.
 */
export const notifyPartiesWhenApprovalChanged = (deps: Deps): Consumer =>
  subscribe('notifications.notify-parties-when-approval-changed', async (event) => {
    const { id: eventId, data } = event;
    const { bookingId, ownerId, renterId } = data;
    const [owner, renter] = await Promise.all([
      deps.people.get(ownerId),
      deps.people.get(renterId),
    ]);
    const recipients = [
      {
        as: 'owner',
        userId: ownerId,
        to: owner,
        ...contentFor(deps, event, { as: 'owner', other: renter }),
      },
      {
        as: 'renter',
        userId: renterId,
        to: renter,
        ...contentFor(deps, event, { as: 'renter', other: owner }),
      },
    ] as const;
    const kind = event.type === 'ApprovalEnded' ? 'request-ended' : 'booking-requested';
    await deps.notices.add(
      ...recipients.map(
        ({ as, userId, message }) => ({ eventId, bookingId, userId, kind, as, message }) as const,
      ),
    );
    for (const { as, to, email } of recipients)
      await queueEmail(deps, { eventId, template: kind, as, to: addressOf(to) }, email);
  });

const contentFor = (
  deps: Deps,
  event: Event<'ApprovalRequested' | 'ApprovalEnded'>,
  { as, other }: { as: Party; other: Person },
): { message: string; email: EmailContent } => {
  const site = siteOf(deps);
  if (event.type === 'ApprovalRequested') {
    const message = approvalRequestedFor(as, event.data, other.firstName);
    return { message, email: approvalRequestedEmail(site, event.data, { as, message, other }) };
  }
  const mailed = approvalEndedFor(as, event.data, true);
  return {
    message: approvalEndedFor(as, event.data),
    email: approvalEndedEmail(site, event.data, { as, message: mailed }),
  };
};
