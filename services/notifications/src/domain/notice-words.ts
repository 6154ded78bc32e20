import type { EventData } from '@lendtools/contracts';
import {
  countInWords,
  dayInWords,
  dollarsInWords,
  excerpt,
  instantInWords,
  listInWords,
  shortMomentInWords,
} from './words.ts';

/** Texts of the notices. The owner's starts with the documented words. */
export const toolBooked = ({ toolName }: { toolName: string }): string =>
  `Your tool has just been booked: ${toolName}`;

export const bookingConfirmed = (booking: EventData<'BookingCreated'>): string =>
  `${booking.toolName} is yours from ${dayInWords(booking.startDate)}. ` +
  `Your booking code is ${booking.bookingCode}.`;

type Requested = EventData<'BookingRequested'>;

/** In the time zone of the tool's place. */
const answerBy = ({ answerBy: instant, timeZone }: Pick<Requested, 'answerBy' | 'timeZone'>) =>
  instantInWords(instant, timeZone);

export const requestedForOwner = (request: Requested, renterName: string): string =>
  `${renterName} asks to rent your ${request.toolName} from ${dayInWords(request.startDate)}. ` +
  `Please accept or decline by ${answerBy(request)}.`;

export const requestedForRenter = (request: Requested, ownerName: string): string =>
  `You asked to rent ${ownerName}’s ${request.toolName} from ${dayInWords(request.startDate)}. ` +
  `You’ll hear by ${answerBy(request)}.`;

type RequestEnded = EventData<'BookingRequestEnded'>;

/** A notice has an excerpt of the owner's note; an email has all of it. */
export const requestEndedFor = (
  party: 'owner' | 'renter',
  { outcome, toolName, note }: RequestEnded,
  wholeNote = false,
): string => {
  const rest = party === 'owner' ? ' Its dates are free again.' : ' Your card was not charged.';
  const what = {
    owner: {
      declined: `The request for ${toolName} is declined.`,
      withdrawn: `The renter withdrew the request for ${toolName}.`,
      lapsed: `The request for ${toolName} has ended without an answer.`,
      failed: `The renter’s card could not be charged for ${toolName}, so there is no booking.`,
    },
    renter: {
      declined: `Your request for ${toolName} was declined.${note && ` “${wholeNote ? note.trim() : excerpt(note)}”`}`,
      withdrawn: `You withdrew your request for ${toolName}.`,
      lapsed: `Your request for ${toolName} has ended without an answer.`,
      failed: `Your card could not be charged for ${toolName}, so there is no booking.`,
    },
  };
  return party === 'renter' && outcome === 'failed'
    ? what.renter.failed
    : what[party][outcome] + rest;
};

export const bookingReturned = ({ toolName }: { toolName: string }): string =>
  `${toolName} is back with its owner. Thank you! How was it?`;

/** For a booking that completes without a confirmed return. */
export const bookingCompletedFor = {
  owner: ({ toolName }: { toolName: string }): string =>
    `The rental of your ${toolName} is completed. You haven’t confirmed its return: please do, if you have it back.`,
  renter: ({ toolName }: { toolName: string }): string =>
    `The rental of ${toolName} is completed. Thank you! How was it?`,
};

type Reported = EventData<'BookingProblemReported'>;

/** An email has the whole text; a notice has an excerpt. */
export const problemForAdmin = (
  { kind, toolName, bookingCode, text }: Reported,
  reporterName: string,
  wholeText = false,
): string => {
  const said = text && ` “${wholeText ? text.trim() : excerpt(text)}”`;
  return kind === 'owner_disabled'
    ? `The owner of ${toolName} (${bookingCode}) is disabled while it is rented out. Please settle with the renter how it comes back.${said}`
    : `${reporterName} reports a problem with ${toolName} (${bookingCode}):${said}`;
};

/** The other party does not see the report's text. */
export const problemForParty = ({ toolName }: Reported, reporterName: string): string =>
  `${reporterName} has reported a problem with the rental of ${toolName}. Our team is looking at it, ` +
  'and the booking is completed once it is settled.';

export const problemSettled = (
  { toolName, note }: EventData<'BookingProblemSettled'>,
  wholeNote = false,
): string =>
  `The problem with the rental of ${toolName} is settled. LendTools writes: “${wholeNote ? note.trim() : excerpt(note)}”`;

export const returnUndone = ({ toolName }: { toolName: string }, ownerName: string): string =>
  `${toolName} was confirmed as returned by mistake. ${ownerName} doesn’t have it back yet.`;

type Reminder = EventData<'BookingReminderDue'>;

/** The reminder's recipients and texts. Texts name the day, because a notice may be read later. */
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

type DatesChanged = EventData<'BookingChanged'>;

export const refundCents = ({ refunds }: Pick<DatesChanged, 'refunds'>): number =>
  refunds.reduce((sum, refund) => sum + refund.refundCents, 0);

/** `2 × Mon, Jun 1, 7.00 AM to Wed, Jun 3, 7.00 AM`; the quantity only if it has changed. */
export const rentalInWords = (
  rental: Pick<DatesChanged, 'startDate' | 'startTime' | 'endDate' | 'endTime' | 'quantity'>,
  withQuantity: boolean,
): string => {
  const { startDate, startTime, endDate, endTime, quantity } = rental;
  const times = `${shortMomentInWords(startDate, startTime)} to ${shortMomentInWords(endDate, endTime)}`;
  return withQuantity ? `${quantity} × ${times}` : times;
};

/**
 * Includes both the old and the new dates, because a notice may be read later. `other` is the other party's first
 * name.
 */
export const datesChangedFor = (
  party: 'owner' | 'renter',
  changed: DatesChanged,
  other: string,
): string => {
  const { toolName, before, dueCents, keptCents, accepted } = changed;
  const withQuantity = changed.quantity !== before.quantity;
  const [was, is] = [rentalInWords(before, withQuantity), rentalInWords(changed, withQuantity)];
  const refunded = refundCents(changed);
  const isRenter = party === 'renter';
  const paid =
    dueCents > 0 && ` ${isRenter ? 'You' : other} paid ${dollarsInWords(dueCents)} more.`;
  const back =
    refunded > 0 &&
    ` ${dollarsInWords(refunded)} goes back to ${isRenter ? 'your' : `${other}’s`} card.`;
  const kept =
    keptCents > 0 &&
    ` By the cancellation policy, ${dollarsInWords(keptCents)} stays with ${isRenter ? other : 'you'}.`;
  const what = {
    renter: `Your booking of ${toolName} is changed:`,
    owner: `${other} changed the booking of your ${toolName}:`,
  };
  const agreed = {
    renter: `${other} accepted, and your booking of ${toolName} is changed:`,
    owner: `You accepted, and ${other}’s booking of your ${toolName} is changed:`,
  };
  return `${(accepted ? agreed : what)[party]} ${is}, before ${was}.${paid || ''}${back || ''}${kept || ''}`;
};

type ChangeRequested = EventData<'BookingChangeRequested'>;

const wantedInWords = (request: ChangeRequested): string => {
  const withQuantity = request.quantity !== request.before.quantity;
  const [was, is] = [request.before, request].map((one) => rentalInWords(one, withQuantity));
  return `${is}, instead of ${was}`;
};

export const changeRequestedForOwner = (request: ChangeRequested, renterName: string): string =>
  `${renterName} asks to change the booking of your ${request.toolName}: ${wantedInWords(request)}. ` +
  `Please accept or decline by ${answerBy(request)}.`;

export const changeRequestedForRenter = (request: ChangeRequested, ownerName: string): string =>
  `You asked ${ownerName} to change your booking of ${request.toolName}: ${wantedInWords(request)}. ` +
  `You’ll hear by ${answerBy(request)}, and until then it stays as it is.`;

export const changeRequestEndedFor = (
  party: 'owner' | 'renter',
  { outcome, toolName, note, dueCents = 0 }: EventData<'BookingChangeRequestEnded'>,
  wholeNote = false,
): string => {
  const what = {
    owner: {
      declined: `The change of the booking of ${toolName} is declined.`,
      withdrawn: `The renter withdrew the change of the booking of ${toolName}.`,
      lapsed: `The change of the booking of ${toolName} has ended without an answer.`,
      failed: `The renter’s card could not be charged for the change of the booking of ${toolName}.`,
    },
    renter: {
      declined: `Your change of the booking of ${toolName} was declined.${note && ` “${wholeNote ? note.trim() : excerpt(note)}”`}`,
      withdrawn: `You withdrew the change of your booking of ${toolName}.`,
      lapsed: `Your change of the booking of ${toolName} has ended without an answer.`,
      failed: `Your card could not be charged for the change of your booking of ${toolName}.`,
    },
  };
  const rest = {
    owner: 'The booking stays as it was.',
    renter: `Your booking stays as it was${dueCents > 0 ? ', and nothing was charged' : ''}.`,
  };
  return `${what[party][outcome]} ${rest[party]}`;
};

export const answerDue = (
  { changeId, toolName, ...due }: EventData<'BookingAnswerDue'>,
  renterName: string,
): string => {
  const what = changeId ? `a change of the booking of your ${toolName}` : `your ${toolName}`;
  return `${renterName} still waits for your answer about ${what}. Please accept or decline by ${answerBy(due)}.`;
};

type Cancelled = EventData<'BookingCancelled'>;

const whoCancelled = { renter: 'The renter', owner: 'The owner', admin: 'LendTools' } as const;

const because = (reason: string): string => (reason ? ` The reason: “${excerpt(reason)}”` : '');

export const cancelledForRenter = (booking: Cancelled): string => {
  const who = booking.cancelledBy === 'renter' ? 'You' : whoCancelled[booking.cancelledBy];
  const cents = refundCents(booking);
  const refund = cents > 0 ? ` ${dollarsInWords(cents)} will go back to your card.` : '';
  const kept = booking.keptCents
    ? ` By its cancellation policy, ${cents > 0 ? 'the rest' : dollarsInWords(booking.keptCents)} stays with the owner.`
    : '';
  return `${who} cancelled the booking of ${booking.toolName}.${refund}${kept}${because(booking.reason)}`;
};

export const cancelledForOwner = (booking: Cancelled): string => {
  const who = booking.cancelledBy === 'owner' ? 'You' : whoCancelled[booking.cancelledBy];
  const kept = booking.keptCents
    ? ` By its cancellation policy, you keep ${dollarsInWords(booking.keptCents)}.`
    : '';
  return (
    `${who} cancelled the booking of ${booking.toolName}. Its dates are free again.${kept}` +
    because(booking.reason)
  );
};

/** Refunds by an admin or for a change are excluded: their own notices were already sent. */
export type Refunded = EventData<'PaymentRefunded'> & {
  reason: Exclude<EventData<'PaymentRefunded'>['reason'], 'admin' | 'changed'>;
};

export const whyRefunded = ({ reason, toolNames }: Pick<Refunded, 'reason' | 'toolNames'>) => {
  const tools = toolNames.length > 0 ? listInWords(toolNames) : 'your tool';
  const why = {
    'slot-lost': `Your dates for ${tools} were no longer available when your payment arrived.`,
    // Some of these renters have a booking: their late payment was for a change of it.
    unassigned: 'Your payment came too late, so nothing was booked or changed with it.',
    unsettled: `We are sorry: your booking of ${tools} failed for a reason on our side.`,
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
