import type { CalendarEntry, EventData } from '@lendtools/contracts';
import { pages, pickUpPlace } from '@lendtools/contracts';
import { refundSteps, stepsAtMost, stepsInWords } from '@lendtools/contracts/cancellation';
import {
  dollarsInWords,
  earningsInWords,
  excerpt,
  listInWords,
  momentInWords,
  periodInWords,
} from '../../domain/formats.ts';
import * as texts from '../../domain/notice-texts.ts';
import { refundedAtStripeForRenter } from '../../domain/payment-texts.ts';
import type { Party } from '../../domain/topics.ts';
import type { Person } from '../../store/people-repository.ts';
import type { EmailContent } from '../email-content.ts';
import { payoutsLink } from './payout-emails.ts';

type Booking = Omit<EventData<'BookingCreated'>, 'units'>;
type Cancelled = EventData<'BookingCancelled'>;

export const ownersPage = (site: string, bookingId: string): string =>
  site + pages.ofId(pages.myBooking, bookingId);
export const rentersPage = (site: string, bookingId: string): string =>
  site + pages.ofId(pages.rental, bookingId);

const receiptPlace = 'Your receipt is on the booking’s page.';

/** The attached receipts of an event's payments, and the paragraph that mentions them. */
const receiptsOf = ({ paymentIds = [] }: Pick<Booking, 'paymentIds'>) => ({
  receipts: paymentIds.map((paymentId) => ({ paymentId })),
  mention: paymentIds.length > 0 ? [receiptPlace] : [],
});

const bankTime = 'Most banks show it within five to ten days. You don’t need to do anything.';

/** @param condition appended to the labels of requested times, such as ` if accepted` */
export const whenAndWhat = (booking: Booking, condition = ''): [string, string][] => [
  ['Booking code', booking.bookingCode],
  ['Tool', booking.quantity > 1 ? `${booking.toolName} × ${booking.quantity}` : booking.toolName],
  ...times(booking, condition),
];

const times = (
  booking: Pick<Booking, 'startDate' | 'startTime' | 'endDate' | 'endTime'>,
  condition = '',
): [string, string][] => [
  [`Pick-up${condition}`, momentInWords(booking.startDate, booking.startTime)],
  [`Return${condition}`, momentInWords(booking.endDate, booking.endTime)],
];

export const priceLine = (booking: Booking): string => {
  const times = booking.quantity > 1 ? ` × ${booking.quantity}` : '';
  const how = `${dollarsInWords(booking.priceCents)} × ${periodInWords(booking)}${times}`;
  const discountCents = booking.priceCents * booking.period * booking.quantity - booking.totalCents;
  const less = discountCents > 0 ? `, less ${dollarsInWords(discountCents)}` : '';
  return `${dollarsInWords(booking.totalCents)} (${how}${less})`;
};

/** Only for the owner. Empty without a commission. */
export const earningsFacts = ({ earnings }: Booking, name = 'You earn'): [string, string][] =>
  earnings ? [[name, earningsInWords(earnings)]] : [];

const cancellationFacts = (
  whose: 'If you cancel' | 'If the renter cancels',
  { data: booking, occurredAt }: Occurrence<Booking & { mostPercent?: number; changes?: number }>,
): [string, string][] => {
  const { cancellationPolicy: policy, rentalCircle: circle, startsAt, timeZone } = booking;
  const nowMs = Date.parse(occurredAt);
  const { mostPercent, changes } = booking;
  // The hour of free cancellation starts at the booking, not at a change of the booking.
  const grace = changes ? {} : { bookedAtMs: nowMs };
  const rental = { circle, timeZone, startsAtMs: Date.parse(startsAt), ...grace };
  const steps = stepsAtMost(refundSteps(policy, rental), mostPercent);
  const words = stepsInWords(steps, { timeZone, readersZone: undefined, nowMs });
  return words ? [[whose, words]] : [];
};

const calendarEntry = (
  {
    bookingId,
    toolName,
    bookingCode,
    startsAt,
    endsAt,
  }: Pick<Booking, 'bookingId' | 'toolName' | 'bookingCode' | 'startsAt' | 'endsAt'>,
  changedAt: string,
  party: Pick<CalendarEntry, 'as' | 'other' | 'place'>,
): CalendarEntry => ({
  id: bookingId,
  toolName,
  bookingCode,
  startsAt,
  endsAt,
  changedAt,
  ...party,
});

interface Occurrence<Data> {
  data: Data;
  occurredAt: string;
}

export const toolBookedEmail = (
  site: string,
  { data: booking, occurredAt }: Occurrence<Booking>,
  { renter, canBePaid }: { renter: Person; canBePaid: boolean },
): EmailContent => ({
  subject: texts.toolBooked(booking),
  neutralSubject: 'Your tool has just been booked',
  preheader: `${renter.firstName} picks it up on ${momentInWords(booking.startDate, booking.startTime)}.`,
  heading: 'Your tool has just been booked',
  paragraphs: [
    `${renter.firstName} ${renter.lastName} will pick up your ${booking.toolName}. It is paid for already.`,
    `Please have it ready, and write to ${renter.firstName} if there is anything to know. The attachment adds it to your calendar.`,
  ],
  facts: [
    ...whenAndWhat(booking),
    ['Paid', priceLine(booking)],
    ...earningsFacts(booking),
    ...cancellationFacts('If the renter cancels', { data: booking, occurredAt }),
  ],
  button: { label: 'See the booking', url: ownersPage(site, booking.bookingId) },
  ...(!canBePaid &&
    booking.totalCents > 0 && { link: payoutsLink(site, 'Get paid: set up payouts') }),
  calendar: calendarEntry(booking, occurredAt, { as: 'owner', other: renter.firstName }),
});

export const bookingConfirmedEmail = (
  site: string,
  { data: booking, occurredAt }: Occurrence<Booking>,
  owner: Person,
): EmailContent => ({
  subject: `You booked ${booking.toolName}: ${booking.bookingCode}`,
  neutralSubject: 'Your booking is confirmed',
  preheader: `Pick-up: ${momentInWords(booking.startDate, booking.startTime)}. Your code: ${booking.bookingCode}.`,
  heading: 'Congratulations, it’s booked!',
  paragraphs: [
    `${booking.toolName} is yours from ${momentInWords(booking.startDate, booking.startTime)}. ` +
      `Show ${owner.firstName} your booking code when you pick it up. The attachment adds it to your calendar.`,
    ...receiptsOf(booking).mention,
  ],
  receipts: receiptsOf(booking).receipts,
  facts: [
    ...whenAndWhat(booking),
    ['Where', `${owner.firstName} ${owner.lastName}\n${pickUpPlace(owner)}`],
    ['Paid', priceLine(booking)],
    ...cancellationFacts('If you cancel', { data: booking, occurredAt }),
  ],
  button: { label: 'See your booking', url: rentersPage(site, booking.bookingId) },
  calendar: calendarEntry(booking, occurredAt, {
    as: 'renter',
    other: owner.firstName,
    place: pickUpPlace(owner),
  }),
  footnote: `A question, or running late? Write to ${owner.firstName} on the booking’s page.`,
});

export const datesChangedEmail = (
  site: string,
  { data: booking, occurredAt }: Occurrence<EventData<'BookingChanged'>>,
  { as, message, other }: { as: Party; message: string; other: Person },
): EmailContent => ({
  subject: `Changed: ${booking.toolName}, ${booking.bookingCode}`,
  neutralSubject: 'A booking is changed',
  preheader: `Pick-up: ${momentInWords(booking.startDate, booking.startTime)}.`,
  heading: 'This booking is changed',
  paragraphs: [
    message,
    'The attachment changes it in your calendar.',
    ...(as === 'renter' ? receiptsOf(booking).mention : []),
  ],
  receipts: as === 'renter' ? receiptsOf(booking).receipts : [],
  facts: [
    ...whenAndWhat(booking),
    ['Before', texts.rentalInWords(booking.before, booking.before.quantity !== booking.quantity)],
    ['Price', priceLine(booking)],
    ...(as === 'owner' ? earningsFacts(booking) : []),
    ...cancellationFacts(as === 'owner' ? 'If the renter cancels' : 'If you cancel', {
      data: booking,
      occurredAt,
    }),
  ],
  button:
    as === 'owner'
      ? { label: 'See the booking', url: ownersPage(site, booking.bookingId) }
      : { label: 'See your booking', url: rentersPage(site, booking.bookingId) },
  calendar: {
    ...calendarEntry(booking, occurredAt, {
      as,
      other: other.firstName,
      place: as === 'renter' ? pickUpPlace(other) : undefined,
    }),
    changeCount: booking.changes,
  },
});

type Reminder = EventData<'BookingReminderDue'>;

const reminderHeading = ({ kind, toolName }: Reminder, to: 'renter' | 'owner'): string => {
  const headings = {
    'pick-up': to === 'renter' ? `You pick up ${toolName} soon` : `${toolName} is picked up soon`,
    'return-day': `${toolName} is due back soon`,
    'return-due': `${toolName} is due back`,
    'tool-late':
      to === 'renter' ? `${toolName} may be late` : `The next renter of ${toolName} waits`,
  };
  return headings[kind];
};

const neutralReminder = {
  'pick-up': 'A pick-up is coming up',
  'return-day': 'A return is due soon',
  'return-due': 'A return is due',
  'tool-late': 'A tool may be late',
} as const satisfies Record<Reminder['kind'], string>;

/** @param other the party that does not receive this email */
export const reminderEmail = (
  site: string,
  reminder: Reminder,
  { to, message, other }: { to: 'renter' | 'owner'; message: string; other: Person },
): EmailContent => ({
  subject: reminderHeading(reminder, to),
  neutralSubject: neutralReminder[reminder.kind],
  heading: reminderHeading(reminder, to),
  paragraphs: [message],
  facts: [
    ['Booking code', reminder.bookingCode],
    ...times(reminder),
    to === 'renter'
      ? ['Where', `${other.firstName} ${other.lastName}\n${pickUpPlace(other)}`]
      : ['Renter', `${other.firstName} ${other.lastName}`],
  ],
  button:
    to === 'renter'
      ? { label: 'See your booking', url: rentersPage(site, reminder.bookingId) }
      : { label: 'See the booking', url: ownersPage(site, reminder.bookingId) },
  footnote: `A question, or running late? Write to ${other.firstName} on the booking’s page.`,
});

export const bookingReturnedEmail = (
  site: string,
  booking: EventData<'BookingReturned'>,
  owner: Person,
): EmailContent => ({
  subject: `${booking.toolName} is back. Thank you!`,
  neutralSubject: 'Your return is confirmed',
  heading: 'Back where it belongs',
  paragraphs: [
    `${owner.firstName} has ${booking.toolName} back. Thank you for taking good care of it.`,
    'How was it? A few words and your stars help the next neighbor choose.',
  ],
  button: { label: 'Send a review', url: rentersPage(site, booking.bookingId) },
});

export const reviewDueEmail = (
  site: string,
  { bookingId, toolName, bookingCode }: EventData<'ReviewDue'>,
  { to, message }: { to: Party; message: string },
): EmailContent => ({
  subject: `A few days left to review: ${toolName}, ${bookingCode}`,
  neutralSubject: 'A few days left to write a review',
  heading: 'A few days left to write a review',
  paragraphs: [message],
  button: {
    label: 'Write a review',
    url: `${to === 'owner' ? ownersPage(site, bookingId) : rentersPage(site, bookingId)}#review`,
  },
});

export const returnUndoneEmail = (
  site: string,
  undone: EventData<'BookingReturnUndone'>,
  owner: Person,
): EmailContent => ({
  subject: `${undone.toolName} is not back yet`,
  neutralSubject: 'A return was confirmed by mistake',
  heading: 'Confirmed by mistake',
  paragraphs: [
    texts.returnUndone(undone, owner.firstName),
    'If you have brought it back already, write to each other on the booking’s page.',
  ],
  button: { label: 'See your booking', url: rentersPage(site, undone.bookingId) },
});

export const cancelledEmail = (
  site: string,
  { data: booking, occurredAt }: Occurrence<Cancelled>,
  to: 'renter' | 'owner',
  other: Person,
): EmailContent => ({
  subject: `Cancelled: ${booking.toolName}, ${booking.bookingCode}`,
  neutralSubject: 'A booking is cancelled',
  heading: 'This booking is cancelled',
  paragraphs: [
    to === 'renter' ? texts.cancelledForRenter(booking) : texts.cancelledForOwner(booking),
  ],
  calendar: {
    ...calendarEntry(booking, occurredAt, { as: to, other: other.firstName }),
    changeCount: booking.changes,
    isCancelled: true,
  },
  button:
    to === 'renter'
      ? { label: 'Find another tool', url: site }
      : { label: 'See the booking', url: ownersPage(site, booking.bookingId) },
});

const creditNoteOf = ({ paymentId, refundId }: { paymentId: string; refundId: string }) => ({
  paymentId,
  refundId,
});

/** The refund's decision was announced earlier; this email brings the credit note. */
export const creditNoteEmail = (
  site: string,
  refund: EventData<'PaymentRefunded'>,
): EmailContent => {
  const dollars = dollarsInWords(refund.refundCents);
  return {
    subject: `Your credit note for ${dollars}`,
    neutralSubject: `${dollars} is on its way back`,
    heading: `${dollars} is on its way back to your card`,
    paragraphs: ['The refund is made, and your credit note is on the receipt’s page.', bankTime],
    ...(refund.toolNames.length > 0 && { facts: [['Tools', listInWords(refund.toolNames)]] }),
    receipts: [creditNoteOf(refund)],
    button: refund.bookingId
      ? { label: 'See your booking', url: rentersPage(site, refund.bookingId) }
      : { label: 'See your rentals', url: site + pages.rentalHistory },
  };
};

export const refundedEmail = (site: string, refund: texts.Refunded): EmailContent => ({
  subject: `Your ${dollarsInWords(refund.refundCents)} is on its way back`,
  neutralSubject: `Your ${dollarsInWords(refund.refundCents)} is on its way back`,
  heading: `${dollarsInWords(refund.refundCents)} is on its way back to your card`,
  paragraphs: [texts.whyRefunded(refund), bankTime],
  receipts: [creditNoteOf(refund)],
  ...(refund.toolNames.length > 0 && { facts: [['Tools', listInWords(refund.toolNames)]] }),
  button:
    refund.reason === 'unassigned'
      ? { label: 'See your rentals', url: site + pages.rentalHistory }
      : { label: 'Find another tool', url: site },
});

export const refundGrantedEmail = (
  site: string,
  grant: EventData<'BookingRefundGranted'>,
): EmailContent => {
  const dollars = dollarsInWords(texts.refundCents(grant));
  return {
    subject: `${dollars} goes back to your card: ${grant.toolName}, ${grant.bookingCode}`,
    neutralSubject: `${dollars} goes back to your card`,
    heading: `${dollars} goes back to your card`,
    paragraphs: [
      `This is a refund of what you paid for ${grant.toolName}.`,
      `The reason: “${grant.reason}”`,
      bankTime,
    ],
    button: { label: 'See your booking', url: rentersPage(site, grant.bookingId) },
  };
};

export const refundedAtStripeEmail = (
  site: string,
  changed: EventData<'BookingPaymentChanged'>,
): EmailContent => {
  const dollars = dollarsInWords(changed.change.cents);
  const [booking] = changed.bookings;
  const { paymentId, change } = changed;
  const refundId = change.kind === 'refund' ? change.refundId : undefined;
  return {
    subject: `${dollars} goes back to your card`,
    neutralSubject: `${dollars} goes back to your card`,
    heading: `${dollars} goes back to your card`,
    paragraphs: [refundedAtStripeForRenter(changed), bankTime],
    receipts: refundId ? [{ paymentId, refundId }] : [],
    button: booking
      ? { label: 'See your booking', url: rentersPage(site, booking.bookingId) }
      : { label: 'Find another tool', url: site },
  };
};

const threadPage = (
  site: string,
  { bookingId, question }: EventData<'MessageSent' | 'ReplySent'>,
  to: 'renter' | 'owner',
): string => {
  if (question) return site + pages.ofId(pages.conversation, bookingId);
  return to === 'owner' ? ownersPage(site, bookingId) : rentersPage(site, bookingId);
};

export const messageEmail = (
  site: string,
  message: EventData<'MessageSent' | 'ReplySent'>,
  to: 'renter' | 'owner',
): EmailContent => ({
  subject: `${message.fromFirstName} wrote to you about ${message.toolName}`,
  neutralSubject: 'You have a new message',
  preheader: excerpt(message.text),
  heading: `${message.fromFirstName} wrote to you`,
  paragraphs: [`About ${message.toolName}:`, `“${message.text}”`],
  button: { label: 'Answer', url: threadPage(site, message, to) },
  footnote: message.question
    ? 'Please reply on LendTools. Emails to this address are not read.'
    : 'Please reply on the booking’s page. Emails to this address are not read.',
});
