import type { EventData } from '@lendtools/contracts';
import { dollarsInWords } from '../../domain/formats.ts';
import { rentalInWords } from '../../domain/notice-texts.ts';
import type { Party } from '../../domain/topics.ts';
import type { Person } from '../../store/people-repository.ts';
import type { EmailContent } from '../email-content.ts';
import {
  earningsFacts,
  ownersPage,
  priceLine,
  rentersPage,
  whenAndWhat,
} from './booking-emails.ts';

type Requested = EventData<'ApprovalRequested'>;

interface Recipient {
  as: Party;
  message: string;
  /** The party that does not receive this email. */
  other: Person;
}

/** The email that requests the owner's approval, or explains the next steps to the renter. */
export const approvalRequestedEmail = (
  site: string,
  request: Requested,
  recipient: Recipient,
): EmailContent =>
  request.change
    ? changeRequestedEmail(site, { ...request, change: request.change }, recipient)
    : bookingRequestedEmail(site, request, recipient);

const bookingRequestedEmail = (
  site: string,
  request: Requested,
  { as, message, other }: Recipient,
): EmailContent => {
  const { bookingId, toolName, totalCents } = request;
  const isOwner = as === 'owner';
  const title = `${other.firstName} asks to rent your ${toolName}`;
  return {
    subject: isOwner ? title : `Your request for ${toolName}: ${request.bookingCode}`,
    neutralSubject: isOwner ? 'A neighbor asks to rent your tool' : 'Your request has been sent',
    heading: isOwner ? title : 'Your request has been sent',
    paragraphs: [message, ifCharged(totalCents, isOwner, other.firstName)],
    facts: [
      ...whenAndWhat(request),
      [isOwner && !request.earnings ? 'You earn' : 'Price', priceLine(request)],
      ...(isOwner ? earningsFacts(request) : []),
    ],
    button: isOwner
      ? { label: 'Accept or decline', url: ownersPage(site, bookingId) }
      : { label: 'See your request', url: rentersPage(site, bookingId) },
  };
};

const ifCharged = (cents: number, isOwner: boolean, other: string): string =>
  isOwner
    ? `${other}’s card is authorized for ${dollarsInWords(cents)} and is charged once you accept.`
    : `Your card is authorized for ${dollarsInWords(cents)}, not charged. It is charged only if ${other} accepts.`;

type Change = NonNullable<Requested['change']>;

/** What happens to the card if the owner accepts a change. */
const ifAccepted = ({ dueCents, refundCents }: Change, isOwner: boolean, other: string): string => {
  if (dueCents > 0) return ifCharged(dueCents, isOwner, other);
  const back = dollarsInWords(refundCents);
  if (refundCents > 0)
    return isOwner
      ? `Once you accept, ${back} goes back to ${other}’s card.`
      : `If ${other} accepts, ${back} goes back to your card.`;
  return isOwner ? 'Nothing is charged or refunded.' : 'Your card is not charged.';
};

const changeRequestedEmail = (
  site: string,
  request: Requested & { change: Change },
  { as, message, other }: Recipient,
): EmailContent => {
  const { bookingId, toolName, bookingCode, change } = request;
  const { before, keptCents } = change;
  const isOwner = as === 'owner';
  const title = `${other.firstName} asks to change the booking of your ${toolName}`;
  const kept = `By the cancellation policy, ${dollarsInWords(keptCents)} would stay with ${isOwner ? 'you' : other.firstName}.`;
  return {
    subject: isOwner ? title : `Your change of ${toolName}: ${bookingCode}`,
    neutralSubject: isOwner ? 'A renter asks to change a booking' : 'Your change has been sent',
    heading: isOwner ? title : 'The owner is asked',
    paragraphs: [
      message,
      ifAccepted(change, isOwner, other.firstName),
      ...(keptCents > 0 ? [kept] : []),
    ],
    facts: [
      ...whenAndWhat(request, ' if accepted'),
      ['Now', rentalInWords(before, before.quantity !== request.quantity)],
      ['Price if accepted', priceLine(request)],
      ...(isOwner ? earningsFacts(request, 'You earn if accepted') : []),
    ],
    button: isOwner
      ? { label: 'Accept or decline', url: ownersPage(site, bookingId) }
      : { label: 'See your booking', url: rentersPage(site, bookingId) },
  };
};

export const approvalDueEmail = (
  site: string,
  { bookingId, toolName, bookingCode }: EventData<'ApprovalDue'>,
  { message, renter }: { message: string; renter: Person },
): EmailContent => ({
  subject: `${renter.firstName} waits for your answer: ${toolName}, ${bookingCode}`,
  neutralSubject: 'A renter waits for your answer',
  heading: `${renter.firstName} waits for your answer`,
  paragraphs: [message, 'Without an answer by then it ends by itself.'],
  button: { label: 'Accept or decline', url: ownersPage(site, bookingId) },
});

const headings = {
  declined: 'Declined',
  withdrawn: 'Withdrawn',
  lapsed: 'Ended without an answer',
  failed: 'The card could not be charged',
};

export const approvalEndedEmail = (
  site: string,
  { outcome, toolName, bookingCode, bookingId, change }: EventData<'ApprovalEnded'>,
  { as, message }: Pick<Recipient, 'as' | 'message'>,
): EmailContent => ({
  subject: `${headings[outcome]}: ${change ? 'the change of ' : ''}${toolName}, ${bookingCode}`,
  neutralSubject: `A ${change ? 'change' : 'request'} has ended: ${headings[outcome]}`,
  heading: headings[outcome],
  paragraphs: [message],
  button:
    as === 'owner' ? ownersButton(site, bookingId, change) : rentersButton(site, bookingId, change),
});

type EndedChange = EventData<'ApprovalEnded'>['change'];

const ownersButton = (site: string, bookingId: string, change: EndedChange) => ({
  label: change ? 'See the booking' : 'See the request',
  url: ownersPage(site, bookingId),
});

const rentersButton = (site: string, bookingId: string, change: EndedChange) =>
  change
    ? { label: 'See your booking', url: rentersPage(site, bookingId) }
    : { label: 'Find another tool', url: site };
