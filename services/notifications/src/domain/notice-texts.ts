import type { EventData } from '@lendtools/contracts';
import {
  countInWords,
  dayInWords,
  dollarsInWords,
  earningsInWords,
  excerpt,
  instantInWords,
  listInWords,
  shortMomentInWords,
} from './formats.ts';
import type { Party } from './topics.ts';

/** The owner's notice of a booking. Starts with the words that the API documentation prescribes. */
export const toolBooked = ({ toolName }: { toolName: string }): string =>
  `Your tool has just been booked: ${toolName}`;

export const bookingConfirmed = (booking: EventData<'BookingCreated'>): string =>
  `${booking.toolName} is yours from ${dayInWords(booking.startDate)}. ` +
  `Your booking code is ${booking.bookingCode}.`;

type Requested = EventData<'ApprovalRequested'>;

/** The deadline for the owner's answer, in the time zone of the tool's place. */
const answerBy = ({ answerBy: instant, timeZone }: Pick<Requested, 'answerBy' | 'timeZone'>) =>
  instantInWords(instant, timeZone);

const requestInWords = (party: Party, request: Requested, other: string): string => {
  const { toolName } = request;
  if (!request.change) {
    const from = `from ${dayInWords(request.startDate)}`;
    return party === 'owner'
      ? `${other} asks to rent your ${toolName} ${from}.`
      : `You asked to rent ${other}’s ${toolName} ${from}.`;
  }
  const { before } = request.change;
  const withQuantity = request.quantity !== before.quantity;
  const [was, is] = [before, request].map((one) => rentalInWords(one, withQuantity));
  const what = `${is}, instead of ${was}`;
  return party === 'owner'
    ? `${other} asks to change the booking of your ${toolName}: ${what}.`
    : `You asked ${other} to change your booking of ${toolName}: ${what}.`;
};

/** `other` is the other party's first name. */
export const approvalRequestedFor = (party: Party, request: Requested, other: string): string => {
  const what = requestInWords(party, request, other);
  if (party === 'owner') return `${what} Please accept or decline by ${answerBy(request)}.`;
  const meanwhile = request.change ? ', and until then it stays as it is' : '';
  return `${what} You’ll hear by ${answerBy(request)}${meanwhile}.`;
};

type Ended = EventData<'ApprovalEnded'>;

/** `wholeNote` includes the owner's whole note, for an email; a notice has only an excerpt. */
export const approvalEndedFor = (party: Party, ended: Ended, wholeNote = false): string => {
  const { toolName, note, change, outcome } = ended;
  const it = change ? `change of the booking of ${toolName}` : `request for ${toolName}`;
  const said = note && ` “${wholeNote ? note.trim() : excerpt(note)}”`;
  const what = {
    owner: {
      declined: `The ${it} is declined.`,
      withdrawn: `The renter withdrew the ${it}.`,
      lapsed: `The ${it} has ended without an answer.`,
      failed: change
        ? `The renter’s card could not be charged for the ${it}.`
        : `The renter’s card could not be charged for ${toolName}, so there is no booking.`,
    },
    renter: {
      declined: `Your ${it} was declined.${said}`,
      withdrawn: change
        ? `You withdrew the change of your booking of ${toolName}.`
        : `You withdrew your ${it}.`,
      lapsed: `Your ${it} has ended without an answer.`,
      failed: change
        ? `Your card could not be charged for the change of your booking of ${toolName}.`
        : `Your card could not be charged for ${toolName}, so there is no booking.`,
    },
  };
  return `${what[party][outcome]}${restFor(party, ended)}`;
};

/** What the end of an approval request means for the booking, the dates and the card. */
const restFor = (party: Party, { change, outcome }: Ended): string => {
  if (change && party === 'owner') return ' The booking stays as it was.';
  if (change)
    return ` Your booking stays as it was${change.dueCents > 0 ? ', and nothing was charged' : ''}.`;
  if (party === 'owner') return ' Its dates are free again.';
  return outcome === 'failed' ? '' : ' Your card was not charged.';
};

export const approvalDue = (
  { changeId, toolName, ...due }: EventData<'ApprovalDue'>,
  renterName: string,
): string => {
  const what = changeId ? `a change of the booking of your ${toolName}` : `your ${toolName}`;
  return `${renterName} still waits for your answer about ${what}. Please accept or decline by ${answerBy(due)}.`;
};

export const bookingReturned = ({ toolName }: { toolName: string }): string =>
  `${toolName} is back with its owner. Thank you! How was it?`;

/** Texts for a booking that was completed without a confirmed return. */
export const bookingCompletedFor = {
  owner: ({ toolName }: { toolName: string }): string =>
    `The rental of your ${toolName} is completed. You haven’t confirmed its return: please do, if you have it back.`,
  renter: ({ toolName }: { toolName: string }): string =>
    `The rental of ${toolName} is completed. Thank you! How was it?`,
};

type Reported = EventData<'BookingProblemReported'>;

/** An email contains the whole text of the report; a notice contains an excerpt. */
export const problemForAdmin = (
  { kind, toolName, bookingCode, text }: Reported,
  reporterName: string,
  wholeText = false,
): string => {
  const quote = text && ` “${wholeText ? text.trim() : excerpt(text)}”`;
  return kind === 'owner-disabled'
    ? `The owner of ${toolName} (${bookingCode}) is disabled while it is rented out. Please settle with the renter how it comes back.${quote}`
    : `${reporterName} reports a problem with ${toolName} (${bookingCode}):${quote}`;
};

/** Omits the report's text, which the other party does not see. */
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
  refunds.reduce((sum, refund) => sum + (refund.expectedCents ?? refund.refundCents), 0);

/** `2 × Mon, Jun 1, 7:00 AM to Wed, Jun 3, 7:00 AM`; contains the quantity only if it has changed. */
export const rentalInWords = (
  rental: Pick<DatesChanged, 'startDate' | 'startTime' | 'endDate' | 'endTime' | 'quantity'>,
  withQuantity: boolean,
): string => {
  const { startDate, startTime, endDate, endTime, quantity } = rental;
  const times = `${shortMomentInWords(startDate, startTime)} to ${shortMomentInWords(endDate, endTime)}`;
  return withQuantity ? `${quantity} × ${times}` : times;
};

/** Contains the old dates and the new dates, because a notice may be read later. `other` is the other party's first name. */
export const datesChangedFor = (
  party: 'owner' | 'renter',
  changed: DatesChanged,
  other: string,
): string => {
  const { toolName, before, dueCents, keptCents, accepted, earnings } = changed;
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
  const names = paid || back || kept;
  const earned = names && !isRenter && earnings && ` You earn ${earningsInWords(earnings)}.`;
  const what = {
    renter: `Your booking of ${toolName} is changed:`,
    owner: `${other} changed the booking of your ${toolName}:`,
  };
  const agreed = {
    renter: `${other} accepted, and your booking of ${toolName} is changed:`,
    owner: `You accepted, and ${other}’s booking of your ${toolName} is changed:`,
  };
  return `${(accepted ? agreed : what)[party]} ${is}, before ${was}.${paid || ''}${back || ''}${kept || ''}${earned || ''}`;
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
  const { keptCents, earnings } = booking;
  const kept = keptCents
    ? ` By its cancellation policy, you keep ${earnings ? earningsInWords(earnings) : dollarsInWords(keptCents)}.`
    : '';
  return (
    `${who} cancelled the booking of ${booking.toolName}. Its dates are free again.${kept}` +
    because(booking.reason)
  );
};

/** Excludes refunds by an admin and refunds for a change, which have notices of their own. */
export type Refunded = EventData<'PaymentRefunded'> & {
  reason: Exclude<EventData<'PaymentRefunded'>['reason'], 'admin' | 'changed'>;
};

export const whyRefunded = ({ reason, toolNames }: Pick<Refunded, 'reason' | 'toolNames'>) => {
  const tools = toolNames.length > 0 ? listInWords(toolNames) : 'your tool';
  const why = {
    'slot-lost': `Your dates for ${tools} were no longer available when your payment arrived.`,
    // Mentions changes, because some of these renters have a booking and paid too late for a change of it.
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
  return `${renterFirstName} ${did} ${review.toolName} ${stars}${quoted(review.comment)}`;
};

const quoted = (comment: string): string => (comment ? `: “${excerpt(comment)}”` : '.');

export const renterReviewAdded = (
  review: Omit<EventData<'RenterReviewAdded'>, 'reviewId'>,
  ownerFirstName: string,
): string => {
  const { toolName, care, punctuality, communication, comment } = review;
  const stars = `care ${care}, punctuality ${punctuality} and communication ${communication} of 5`;
  return `${ownerFirstName} reviewed you as the renter of ${toolName}, ${stars}${quoted(comment)}`;
};

type ReviewDue = EventData<'ReviewDue'>;

const untilReviewsClose = ({ closesAt, timeZone }: ReviewDue): string =>
  `You can write a review until ${instantInWords(closesAt, timeZone)}. Reviews appear once both of you have written, or then.`;

/** `other` is the other party's first name. */
export const reviewDueFor = {
  owner: (due: ReviewDue, other: string): string =>
    `How was ${other} as the renter of your ${due.toolName}? ${untilReviewsClose(due)}`,
  renter: (due: ReviewDue, other: string): string =>
    `How was ${other}’s ${due.toolName}? ${untilReviewsClose(due)}`,
};

export const messageArrived = (message: {
  fromFirstName: string;
  toolName: string;
  text: string;
}): string => `${message.fromFirstName} about ${message.toolName}: “${excerpt(message.text)}”`;
