import type { Event } from '@lendtools/contracts';
import { dollarsInWords } from './formats.ts';

export type MoneyMoved = Event<'TransferSent' | 'PayoutSettled' | 'DebtIncurred' | 'DebtPaid'>;
export type OfBooking = Exclude<MoneyMoved, Event<'PayoutSettled'>>;

export interface EarningsText {
  heading: string;
  message: string;
  /** Explains the message in an email; an event without it causes no email. */
  explanation?: string;
}

const arrival = 'Stripe pays it out to your bank account by itself, usually within a few days.';

const whyOwed = {
  refund: (what: string) => `${what} goes back to the renter, and you had been paid already.`,
  dispute: (what: string) => `The renter’s bank took ${what} back after you had been paid.`,
  other: (what: string) => `You were paid too much: ${what}.`,
};
const howSettled =
  'We take it back from your balance at Stripe if it is still there, and otherwise keep it from what you earn next.';

export const bookingMoneyInWords = ({ type, data }: OfBooking, toolName: string): EarningsText => {
  switch (type) {
    case 'TransferSent': {
      const cents = dollarsInWords(data.amountCents);
      const message = `We sent you ${cents} for ${toolName}. It is on its way to your bank account.`;
      return { heading: `We sent you ${cents}`, message, explanation: arrival };
    }
    case 'DebtIncurred': {
      const cents = dollarsInWords(data.debtCents);
      const why = whyOwed[data.reason](`${cents} for ${toolName}`);
      return {
        heading: `You owe ${cents}`,
        message: `${why} ${howSettled}`,
        explanation: 'You don’t need to do anything. Your earnings page shows what is still open.',
      };
    }
    case 'DebtPaid': {
      const what = `${dollarsInWords(data.paidCents)} that you owed for ${toolName}`;
      const messages = {
        reversal: `${what} was taken back from your balance at Stripe.`,
        netting: `${what} was kept from what you have earned since.`,
      };
      return { heading: 'Your debt is smaller', message: messages[data.by] };
    }
  }
};

export const payoutInWords = ({
  amountCents,
  status,
  failureCode,
}: Event<'PayoutSettled'>['data']): EarningsText => {
  const cents = dollarsInWords(amountCents);
  if (status === 'paid')
    return {
      heading: `${cents} was paid out`,
      message: `Stripe has paid ${cents} to your bank account.`,
      explanation: 'It is the sum of what you earned since the payout before.',
    };
  const why = failureCode ? ` (${failureCode.replaceAll('_', ' ')})` : '';
  return {
    heading: `A payout of ${cents} failed`,
    message: `Your bank rejected a payout of ${cents}${why}. Please check your bank account at Stripe: then Stripe pays you again.`,
    explanation: 'The money is in your balance at Stripe. Nothing is lost.',
  };
};
