import { type EventData, pages } from '@lendtools/contracts';
import { dollarsInWords } from '../../domain/formats.ts';
import * as texts from '../../domain/payment-texts.ts';
import type { EmailContent } from '../email-content.ts';

type Changed = EventData<'BookingPaymentChanged'>;

const seeDisputes = (site: string) => ({ label: 'See the disputes', url: site + pages.disputes });

const headingOf = ({ change }: Changed): string => {
  if (change.kind === 'refund')
    return change.outcome === 'refunded' ? 'Refunded in Stripe' : 'A refund has failed';
  if (change.kind === 'unsettled') return 'A payment could not be booked';
  const headings = {
    inquiry: 'A bank asks about a payment',
    open: 'A payment is in dispute',
    won: 'A dispute is over',
    lost: 'A dispute is lost',
  };
  return headings[change.state];
};

export const paymentChangedEmail = (site: string, changed: Changed): EmailContent => {
  const heading = headingOf(changed);
  const subject = `${heading}: ${dollarsInWords(changed.change.cents)}`;
  const [booking] = changed.bookings;
  const seeBooking = booking
    ? { label: 'See the booking', url: site + pages.ofId(pages.adminBooking, booking.bookingId) }
    : { label: 'Open LendTools', url: site };
  return {
    subject,
    neutralSubject: subject,
    heading,
    paragraphs: [texts.paymentChangedForAdmin(changed)],
    button: changed.change.kind === 'dispute' ? seeDisputes(site) : seeBooking,
  };
};

export const disputeAnswerDueEmail = (
  site: string,
  due: EventData<'DisputeAnswerDue'>,
): EmailContent => {
  const subject = `Evidence is due: ${dollarsInWords(due.disputeCents)}`;
  return {
    subject,
    neutralSubject: subject,
    heading: 'Evidence in a dispute is due',
    paragraphs: [texts.disputeAnswerDue(due)],
    button: seeDisputes(site),
  };
};

export const fraudSuspectedEmail = (
  site: string,
  warning: EventData<'FraudWarningReceived'>,
): EmailContent => {
  const subject = `A bank suspects fraud: ${dollarsInWords(warning.amountCents)}`;
  return {
    subject,
    neutralSubject: subject,
    heading: 'A bank suspects fraud',
    paragraphs: [texts.fraudSuspected(warning)],
    button: seeDisputes(site),
  };
};
