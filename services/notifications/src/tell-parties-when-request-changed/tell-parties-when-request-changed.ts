import type { Event } from '@lendtools/contracts';
import { type Consumer, subscribe } from '@lendtools/event-bus';
import type { Deps } from '../deps.ts';
import * as says from '../domain/notice-words.ts';
import type { EmailContent } from '../email/email-content.ts';
import { addressOf, queueEmail, siteOf } from '../email/queue-email.ts';
import {
  changeRequestEmail,
  changeRequestEndedEmail,
  requestEmail,
  requestEndedEmail,
} from '../email/request-emails.ts';
import type { Person } from '../people-repository.ts';

type Party = 'owner' | 'renter';
type RequestEvent = Event<
  | 'BookingRequested'
  | 'BookingRequestEnded'
  | 'BookingChangeRequested'
  | 'BookingChangeRequestEnded'
>;

/**
 * Notifies both parties of a request, or of a requested change, and how it ended. An accepted one has its own event,
 * which another consumer handles.
 */
export const tellPartiesWhenRequestChanged = (deps: Deps): Consumer =>
  subscribe('notifications.tell-parties-when-request-changed', async (event) => {
    const { id: eventId, data } = event;
    const { bookingId, ownerId, renterId } = data;
    const [owner, renter] = await Promise.all([
      deps.people.get(ownerId),
      deps.people.get(renterId),
    ]);
    const recipients = [
      { as: 'owner', userId: ownerId, to: owner, ...contentFor(deps, event, 'owner', renter) },
      { as: 'renter', userId: renterId, to: renter, ...contentFor(deps, event, 'renter', owner) },
    ] as const;
    const isEnd =
      event.type === 'BookingRequestEnded' || event.type === 'BookingChangeRequestEnded';
    const kind = isEnd ? 'request-ended' : 'booking-requested';
    await deps.notices.add(
      ...recipients.map(
        ({ userId, message }) => ({ eventId, bookingId, userId, kind, message }) as const,
      ),
    );
    for (const { to, email } of recipients)
      await queueEmail(deps, { eventId, template: kind, to: addressOf(to) }, email);
  });

const contentFor = (
  deps: Deps,
  event: RequestEvent,
  as: Party,
  other: Person,
): { message: string; email: EmailContent } => {
  const site = siteOf(deps);
  const isOwner = as === 'owner';
  switch (event.type) {
    case 'BookingRequested': {
      const words = isOwner ? says.requestedForOwner : says.requestedForRenter;
      const message = words(event.data, other.firstName);
      return { message, email: requestEmail(site, event.data, { as, message, other }) };
    }
    case 'BookingRequestEnded': {
      const mailed = says.requestEndedFor(as, event.data, true);
      return {
        message: says.requestEndedFor(as, event.data),
        email: requestEndedEmail(site, event.data, { as, message: mailed }),
      };
    }
    case 'BookingChangeRequested': {
      const words = isOwner ? says.changeRequestedForOwner : says.changeRequestedForRenter;
      const message = words(event.data, other.firstName);
      return { message, email: changeRequestEmail(site, event.data, { as, message, other }) };
    }
    case 'BookingChangeRequestEnded': {
      const mailed = says.changeRequestEndedFor(as, event.data, true);
      return {
        message: says.changeRequestEndedFor(as, event.data),
        email: changeRequestEndedEmail(site, event.data, { as, message: mailed }),
      };
    }
  }
};
