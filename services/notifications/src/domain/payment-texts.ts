import type { EventData } from '@lendtools/contracts';
import { dollarsInWords, instantInWords, listInWords } from './formats.ts';

type Changed = EventData<'BookingPaymentChanged'>;
type DisputeChange = Extract<Changed['change'], { kind: 'dispute' }>;

const namesOf = (bookings: Changed['bookings']): string =>
  listInWords(bookings.map(({ toolName, bookingCode }) => `${toolName} (${bookingCode})`));

const bookingsInWords = ({ bookings, paymentId }: Changed): string =>
  bookings.length > 0 ? namesOf(bookings) : `payment ${paymentId}, which no booking was made with`;

const stripeInWords = (word: string): string => word.replaceAll('_', ' ');

/** In UTC, because admins may be in several time zones. */
const deadlineInWords = (answerBy: string): string => instantInWords(answerBy, 'UTC');

export const refundedAtStripeForRenter = ({ change, bookings }: Changed): string => {
  const tools =
    bookings.length > 0 ? listInWords(bookings.map((one) => one.toolName)) : 'LendTools';
  return `${dollarsInWords(change.cents)} of what you paid for ${tools} goes back to your card.`;
};

const howToAnswer = ({ answerBy }: DisputeChange): string => {
  if (!answerBy) return 'There is no evidence to submit: the bank decides.';
  return `Please submit evidence in Stripe’s dashboard by ${deadlineInWords(answerBy)}.`;
};

const whatIsCancelled = ({ bookings }: Changed): string => {
  const cancelled = bookings.filter((one) => one.isCancelled);
  const others = bookings.filter((one) => !one.isCancelled);
  const parts = [
    cancelled.length > 0 && ` ${namesOf(cancelled)}: cancelled, without a refund.`,
    others.length > 0 && ` ${namesOf(others)}: not cancelled, so please decide what to do.`,
  ];
  return parts.filter(Boolean).join('');
};

export const paymentChangedForAdmin = (changed: Changed): string => {
  const { change } = changed;
  if (change.kind === 'unsettled') {
    const tools = change.toolNames.length > 0 ? ` for ${listInWords(change.toolNames)}` : '';
    return (
      `${dollarsInWords(change.cents)}${tools} was paid and could not be booked, again and again. ` +
      `The renter gets all of it back. Please see why in the log of bookings: payment ${changed.paymentId}.`
    );
  }
  const what = `${dollarsInWords(change.cents)} for ${bookingsInWords(changed)}`;
  if (change.kind === 'refund') {
    return change.outcome === 'refunded'
      ? `${what} was refunded in Stripe’s dashboard.`
      : `The refund of ${what}, made in Stripe’s dashboard, has failed: the card’s bank sent the money back.`;
  }
  const why = stripeInWords(change.reason);
  const messages = {
    inquiry: `A bank asks about ${what} (${why}). It has taken nothing yet. ${howToAnswer(change)}`,
    open: `${what} is in dispute (${why}): the bank has taken the money back. ${howToAnswer(change)}`,
    won: `The dispute over ${what} is over, and the money is yours.`,
    lost: `The dispute over ${what} is lost: the bank gave the money to the cardholder.${whatIsCancelled(changed)}`,
  };
  return messages[change.state];
};

export const disputeAnswerDue = (due: EventData<'DisputeAnswerDue'>): string =>
  `Evidence in the dispute over ${dollarsInWords(due.disputeCents)} (${stripeInWords(due.reason)}) is due by ` +
  `${deadlineInWords(due.answerBy)}. Without it the bank decides for the cardholder.`;

export const fraudSuspected = (warning: EventData<'FraudWarningReceived'>): string =>
  `A bank suspects fraud with a payment of ${dollarsInWords(warning.amountCents)} (${stripeInWords(warning.fraudType)}). ` +
  'Refund it, or cancel the booking, before the cardholder disputes it: a dispute costs a fee.';
