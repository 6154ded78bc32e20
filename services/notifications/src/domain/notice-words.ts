import type { EventData } from '@lendtools/contracts';
import { countInWords, dayInWords, dollarsInWords, excerpt, listInWords } from './words.ts';

/** What the notices say. The owner's begins with the documented words. */
export const toolBooked = ({ toolName }: { toolName: string }): string =>
  `Your tool has just been booked: ${toolName}`;

export const bookingConfirmed = (booking: EventData<'BookingCreated'>): string =>
  `${booking.toolName} is yours from ${dayInWords(booking.startDate)}. ` +
  `Your booking code is ${booking.bookingCode}.`;

export const bookingReturned = ({ toolName }: { toolName: string }): string =>
  `${toolName} is back with its owner. Thank you! How was it?`;

type Cancelled = EventData<'BookingCancelled'>;

const whoCancelled = { renter: 'The renter', owner: 'The owner', admin: 'LendTools' } as const;

const because = (reason: string): string => (reason ? ` The reason: “${excerpt(reason)}”` : '');

export const refundCents = ({ refunds }: Pick<Cancelled, 'refunds'>): number =>
  refunds.reduce((sum, refund) => sum + refund.refundCents, 0);

export const cancelledForRenter = (booking: Cancelled): string => {
  const who = booking.cancelledBy === 'renter' ? 'You' : whoCancelled[booking.cancelledBy];
  const cents = refundCents(booking);
  const refund = cents > 0 ? ` ${dollarsInWords(cents)} will go back to your card.` : '';
  return `${who} cancelled the booking of ${booking.toolName}.${refund}${because(booking.reason)}`;
};

export const cancelledForOwner = (booking: Cancelled): string => {
  const who = booking.cancelledBy === 'owner' ? 'You' : whoCancelled[booking.cancelledBy];
  return (
    `${who} cancelled the booking of ${booking.toolName}. Its dates are free again.` +
    because(booking.reason)
  );
};

type Refunded = EventData<'PaymentRefunded'>;

export const whyRefunded = ({ reason, toolNames }: Pick<Refunded, 'reason' | 'toolNames'>) => {
  const tools = toolNames.length > 0 ? listInWords(toolNames) : 'your tool';
  const why = {
    'slot-lost': `Somebody else had the dates of ${tools} before your payment arrived.`,
    unassigned: 'No booking was made with your payment.',
    cancelled: `The booking of ${tools} was cancelled.`,
  };
  return why[reason];
};

export const paymentRefunded = (refund: Refunded): string =>
  `${whyRefunded(refund)} Your ${dollarsInWords(refund.refundCents)} is on its way back to your card.`;

export const reviewAdded = (
  review: Pick<EventData<'ReviewAdded'>, 'toolName' | 'rating' | 'changed' | 'comment'>,
  renterFirstName: string,
): string => {
  const stars = countInWords(review.rating, 'star');
  const did = review.changed ? 'now gives' : 'gave';
  return `${renterFirstName} ${did} ${review.toolName} ${stars}: “${excerpt(review.comment)}”`;
};

export const messageArrived = (said: {
  fromFirstName: string;
  toolName: string;
  text: string;
}): string => `${said.fromFirstName} about ${said.toolName}: “${excerpt(said.text)}”`;
