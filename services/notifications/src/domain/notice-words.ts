import type { EventData } from '@lendtools/contracts';
import {
  countInWords,
  dayInWords,
  dollarsInWords,
  excerpt,
  listInWords,
  shortMomentInWords,
} from './words.ts';

/** What the notices say. The owner's begins with the documented words. */
export const toolBooked = ({ toolName }: { toolName: string }): string =>
  `Your tool has just been booked: ${toolName}`;

export const bookingConfirmed = (booking: EventData<'BookingCreated'>): string =>
  `${booking.toolName} is yours from ${dayInWords(booking.startDate)}. ` +
  `Your booking code is ${booking.bookingCode}.`;

export const bookingReturned = ({ toolName }: { toolName: string }): string =>
  `${toolName} is back with its owner. Thank you! How was it?`;

export const returnUndone = ({ toolName }: { toolName: string }, ownerName: string): string =>
  `${toolName} was confirmed as returned by mistake. ${ownerName} doesn’t have it back yet.`;

type Reminder = EventData<'BookingReminderDue'>;

/** Who is reminded, and in which words. They name the day: a notice is read later, too. */
export const remindersFor = (
  reminder: Reminder,
): { party: 'renter' | 'owner'; message: string }[] => {
  const { toolName, bookingCode, startDate, startTime, endDate, endTime } = reminder;
  const over = `The rental of ${toolName} is over.`;
  switch (reminder.kind) {
    case 'pick-up': {
      const when = shortMomentInWords(startDate, startTime);
      const renter = `You pick up ${toolName} on ${when}. Your booking code is ${bookingCode}.`;
      const owner = `Your ${toolName} is picked up on ${when}. Please have it ready.`;
      return [
        { party: 'renter', message: renter },
        { party: 'owner', message: owner },
      ];
    }
    case 'return-day': {
      const when = shortMomentInWords(endDate, endTime);
      return [{ party: 'renter', message: `Please bring ${toolName} back by ${when}.` }];
    }
    case 'tool-late': {
      const when = shortMomentInWords(startDate, startTime);
      const renter =
        `The return of ${toolName} by the renter before you isn’t confirmed yet. You pick it up on ${when}: ` +
        'please write to its owner before you set out.';
      const owner =
        `Your ${toolName} is overdue, and the next renter picks it up on ${when}. ` +
        'Please ask for it now, or confirm its return if you have it.';
      return [
        { party: 'renter', message: renter },
        { party: 'owner', message: owner },
      ];
    }
    case 'return-due': {
      const renter = `${over} Please bring it back now, or write to its owner.`;
      const owner = `${over} Please confirm the return once you have it back.`;
      return [
        { party: 'renter', message: renter },
        { party: 'owner', message: owner },
      ];
    }
  }
};

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

/** The notice of an admin's refund was sent when it was granted. */
export type Refunded = EventData<'PaymentRefunded'> & {
  reason: Exclude<EventData<'PaymentRefunded'>['reason'], 'admin'>;
};

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

type Granted = EventData<'BookingRefundGranted'>;

export const refundGranted = (grant: Granted): string =>
  `LendTools refunds ${dollarsInWords(refundCents(grant))} of what you paid for ${grant.toolName}. ` +
  `It goes back to your card.${because(grant.reason)}`;

type Changed = EventData<'BookingPaymentChanged'>;

/** `Drill (LT123456) and Ladder (LT654321)`. */
const bookingsInWords = ({ bookings, paymentId }: Changed): string =>
  bookings.length > 0
    ? listInWords(bookings.map(({ toolName, bookingCode }) => `${toolName} (${bookingCode})`))
    : `payment ${paymentId}, which no booking was made with`;

export const refundedAtStripeForRenter = ({ change, bookings }: Changed): string => {
  const tools =
    bookings.length > 0 ? listInWords(bookings.map((one) => one.toolName)) : 'LendTools';
  return `${dollarsInWords(change.cents)} of what you paid for ${tools} goes back to your card.`;
};

/** What admins read about money that moved at Stripe itself, and what to do about it. */
export const paymentChangedForAdmin = (changed: Changed): string => {
  const { change } = changed;
  const what = `${dollarsInWords(change.cents)} for ${bookingsInWords(changed)}`;
  if (change.kind === 'refund') {
    return change.outcome === 'given'
      ? `${what} was refunded in Stripe’s dashboard.`
      : `The refund of ${what}, made in Stripe’s dashboard, has failed: the card’s bank sent the money back.`;
  }
  const why = change.reason.replaceAll('_', ' ');
  const told = {
    inquiry: `A bank asks about ${what} (${why}). It has taken nothing yet. Please answer in Stripe’s dashboard.`,
    open: `${what} is in dispute (${why}): the bank has taken the money back. Please answer in Stripe’s dashboard.`,
    won: `The dispute over ${what} is over, and the money is yours.`,
    lost: `The dispute over ${what} is lost: the bank gave the money to the cardholder.`,
  };
  return told[change.state];
};

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
