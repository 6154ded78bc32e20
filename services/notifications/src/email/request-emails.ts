import type { EventData } from '@lendtools/contracts';
import { rentalInWords } from '../domain/notice-words.ts';
import { dollarsInWords } from '../domain/words.ts';
import type { Person } from '../people-repository.ts';
import { ownersPage, priceLine, rentersPage, whenAndWhat } from './booking-emails.ts';
import type { EmailContent } from './email-content.ts';

type Party = 'owner' | 'renter';

/**
 * Asks the owner, or explains the next steps to the renter. `other` is the party that does not receive this email.
 */
export const requestEmail = (
  site: string,
  request: EventData<'BookingRequested'>,
  { as, message, other }: { as: Party; message: string; other: Person },
): EmailContent => {
  const { bookingId, toolName, paidCents } = request;
  const isOwner = as === 'owner';
  return {
    subject: isOwner
      ? `${other.firstName} asks to rent your ${toolName}`
      : `Your request for ${toolName}: ${request.bookingCode}`,
    neutralSubject: isOwner ? 'A neighbor asks to rent your tool' : 'Your request has been sent',
    heading: isOwner
      ? `${other.firstName} asks to rent your ${toolName}`
      : 'Your request has been sent',
    paragraphs: [
      message,
      isOwner
        ? `${other.firstName}’s card is authorized for ${dollarsInWords(paidCents)} and is charged once you accept.`
        : `Your card is authorized for ${dollarsInWords(paidCents)}, not charged. It is charged only if ${other.firstName} accepts.`,
    ],
    facts: [...whenAndWhat(request), [isOwner ? 'You earn' : 'Price', priceLine(request)]],
    button: isOwner
      ? { label: 'Accept or decline', url: ownersPage(site, bookingId) }
      : { label: 'See your request', url: rentersPage(site, bookingId) },
  };
};

/** What happens to the card if the owner accepts. */
const ifAccepted = (
  { dueCents, refundCents }: EventData<'BookingChangeRequested'>,
  isOwner: boolean,
  other: string,
): string => {
  const [due, back] = [dollarsInWords(dueCents), dollarsInWords(refundCents)];
  if (dueCents > 0)
    return isOwner
      ? `${other}’s card is authorized for ${due} and is charged once you accept.`
      : `Your card is authorized for ${due}, not charged. It is charged only if ${other} accepts.`;
  if (refundCents > 0)
    return isOwner
      ? `Once you accept, ${back} goes back to ${other}’s card.`
      : `If ${other} accepts, ${back} goes back to your card.`;
  return isOwner ? 'Nothing is charged or refunded.' : 'Your card is not charged.';
};

/** Like `requestEmail`, for a change of a booking, which stays unchanged until the owner accepts. */
export const changeRequestEmail = (
  site: string,
  request: EventData<'BookingChangeRequested'>,
  { as, message, other }: { as: Party; message: string; other: Person },
): EmailContent => {
  const { bookingId, toolName, bookingCode, before, keptCents } = request;
  const isOwner = as === 'owner';
  const asks = `${other.firstName} asks to change the booking of your ${toolName}`;
  const kept = `By the cancellation policy, ${dollarsInWords(keptCents)} would stay with ${isOwner ? 'you' : other.firstName}.`;
  return {
    subject: isOwner ? asks : `Your change of ${toolName}: ${bookingCode}`,
    neutralSubject: isOwner ? 'A renter asks to change a booking' : 'Your change has been sent',
    heading: isOwner ? asks : 'The owner is asked',
    paragraphs: [
      message,
      ifAccepted(request, isOwner, other.firstName),
      ...(keptCents > 0 ? [kept] : []),
    ],
    facts: [
      ...whenAndWhat(request, ' if accepted'),
      ['Now', rentalInWords(before, before.quantity !== request.quantity)],
      ['Price if accepted', priceLine(request)],
    ],
    button: isOwner
      ? { label: 'Accept or decline', url: ownersPage(site, bookingId) }
      : { label: 'See your booking', url: rentersPage(site, bookingId) },
  };
};

export const answerDueEmail = (
  site: string,
  { bookingId, toolName, bookingCode }: EventData<'BookingAnswerDue'>,
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

export const requestEndedEmail = (
  site: string,
  request: EventData<'BookingRequestEnded'>,
  { as, message }: { as: Party; message: string },
): EmailContent => ({
  subject: `${headings[request.outcome]}: ${request.toolName}, ${request.bookingCode}`,
  neutralSubject: `A request has ended: ${headings[request.outcome]}`,
  heading: headings[request.outcome],
  paragraphs: [message],
  button:
    as === 'owner'
      ? { label: 'See the request', url: ownersPage(site, request.bookingId) }
      : { label: 'Find another tool', url: site },
});

export const changeRequestEndedEmail = (
  site: string,
  { outcome, toolName, bookingCode, bookingId }: EventData<'BookingChangeRequestEnded'>,
  { as, message }: { as: Party; message: string },
): EmailContent => ({
  subject: `${headings[outcome]}: the change of ${toolName}, ${bookingCode}`,
  neutralSubject: `A change has ended: ${headings[outcome]}`,
  heading: headings[outcome],
  paragraphs: [message],
  button:
    as === 'owner'
      ? { label: 'See the booking', url: ownersPage(site, bookingId) }
      : { label: 'See your booking', url: rentersPage(site, bookingId) },
});
