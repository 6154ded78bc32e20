import type { EventData } from '@lendtools/contracts';
import * as says from '../domain/notice-words.ts';
import { dollarsInWords, listInWords, momentInWords, periodInWords } from '../domain/words.ts';
import type { Person } from '../people-repository.ts';
import type { Letter } from './layout.ts';

type Booking = EventData<'BookingCreated'>;
type Cancelled = EventData<'BookingCancelled'>;

/** The booking's page, for its owner and for its renter. */
const ownersPage = (site: string, bookingId: string): string =>
  `${site}/user/my-bookings-details?id=${bookingId}`;
const rentersPage = (site: string, bookingId: string): string =>
  `${site}/user/my-rental-history-details?id=${bookingId}`;

const whenAndWhat = (booking: Booking): [string, string][] => [
  ['Booking code', booking.bookingCode],
  ['Tool', booking.quantity > 1 ? `${booking.toolName} × ${booking.quantity}` : booking.toolName],
  ['Pick-up', momentInWords(booking.startDate, booking.startTime)],
  ['Return', momentInWords(booking.endDate, booking.endTime)],
];

const priceLine = (booking: Booking): string => {
  const times = booking.quantity > 1 ? ` × ${booking.quantity}` : '';
  const how = `${dollarsInWords(booking.priceCents)} × ${periodInWords(booking)}${times}`;
  return `${dollarsInWords(booking.paidCents)} (${how})`;
};

export const toolBookedLetter = (site: string, booking: Booking, renter: Person): Letter => ({
  subject: says.toolBooked(booking),
  heading: 'Your tool has just been booked',
  paragraphs: [
    `${renter.firstName} ${renter.lastName} will pick up your ${booking.toolName}. It is paid for already.`,
    `Please have it ready, and write to ${renter.firstName} if there is anything to know.`,
  ],
  facts: [...whenAndWhat(booking), ['Paid', priceLine(booking)]],
  button: { label: 'See the booking', url: ownersPage(site, booking.bookingId) },
});

export const bookingConfirmedLetter = (site: string, booking: Booking, owner: Person): Letter => ({
  subject: `You booked ${booking.toolName}: ${booking.bookingCode}`,
  heading: 'Congratulations, it’s booked!',
  paragraphs: [
    `${booking.toolName} is yours from ${momentInWords(booking.startDate, booking.startTime)}. ` +
      `Show ${owner.firstName} your booking code when you pick it up.`,
  ],
  facts: [
    ...whenAndWhat(booking),
    ['Where', `${owner.firstName} ${owner.lastName}\n${pickUpPlace(owner)}`],
    ['Paid', priceLine(booking)],
  ],
  button: { label: 'See your booking', url: rentersPage(site, booking.bookingId) },
  footnote: `A question, or running late? Write to ${owner.firstName} on the booking’s page.`,
});

const pickUpPlace = ({ address, city, state }: Person): string =>
  [address, city, state].filter(Boolean).join(', ');

export const bookingReturnedLetter = (
  site: string,
  booking: EventData<'BookingReturned'>,
  owner: Person,
): Letter => ({
  subject: `${booking.toolName} is back. Thank you!`,
  heading: 'Back where it belongs',
  paragraphs: [
    `${owner.firstName} has ${booking.toolName} back. Thank you for taking good care of it.`,
    'How was it? A few words and your stars help the next neighbor choose.',
  ],
  button: { label: 'Send a review', url: rentersPage(site, booking.bookingId) },
});

export const cancelledLetter = (
  site: string,
  booking: Cancelled,
  to: 'renter' | 'owner',
): Letter => ({
  subject: `Cancelled: ${booking.toolName}, ${booking.bookingCode}`,
  heading: 'This booking is cancelled',
  paragraphs: [
    to === 'renter' ? says.cancelledForRenter(booking) : says.cancelledForOwner(booking),
  ],
  button:
    to === 'renter'
      ? { label: 'Find another tool', url: site }
      : { label: 'See the booking', url: ownersPage(site, booking.bookingId) },
});

export const refundedLetter = (site: string, refund: EventData<'PaymentRefunded'>): Letter => ({
  subject: `Your ${dollarsInWords(refund.refundCents)} is on its way back`,
  heading: `${dollarsInWords(refund.refundCents)} is on its way back to your card`,
  paragraphs: [
    says.whyRefunded(refund),
    'Most banks show it within five to ten days. There is nothing that you need to do.',
  ],
  ...(refund.toolNames.length > 0 && { facts: [['Tools', listInWords(refund.toolNames)]] }),
  button: { label: 'Find another tool', url: site },
});

/** To the owner or the renter, who meet the booking on different pages. */
export const messageLetter = (
  site: string,
  said: EventData<'MessageSent' | 'ReplySent'>,
  to: 'renter' | 'owner',
): Letter => ({
  subject: `${said.fromFirstName} wrote to you about ${said.toolName}`,
  heading: `${said.fromFirstName} wrote to you`,
  paragraphs: [`About ${said.toolName}:`, `“${said.text}”`],
  button: {
    label: 'Answer',
    url: to === 'owner' ? ownersPage(site, said.bookingId) : rentersPage(site, said.bookingId),
  },
  footnote: 'Please answer on the booking’s page; this address takes no e-mail.',
});
