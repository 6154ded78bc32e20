import type { Event } from '@lendtools/contracts';
import { dollarsInWords } from './formats.ts';

export type MoneyMoved = Event<'TransferSent' | 'PayoutSettled' | 'DebtIncurred' | 'DebtPaid'>;
export type OfBooking = Exclude<MoneyMoved, Event<'PayoutSettled'>>;

export interface EarningsText {
  message: string;
  /** What the email adds to the message; an event without it causes no email. */
  email?: { heading: string; explanation: string };
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
      return { message, email: { heading: `We sent you ${cents}`, explanation: arrival } };
    }
    case 'DebtIncurred': {
      const cents = dollarsInWords(data.debtCents);
      const why = whyOwed[data.reason](`${cents} for ${toolName}`);
      return {
        message: `${why} ${howSettled}`,
        email: {
          heading: `You owe ${cents}`,
          explanation:
            'You don’t need to do anything. Your earnings page shows what is still open.',
        },
      };
    }
    case 'DebtPaid': {
      const what = `${dollarsInWords(data.paidCents)} that you owed for ${toolName}`;
      const messages = {
        reversal: `${what} was taken back from your balance at Stripe.`,
        netting: `${what} was kept from what you have earned since.`,
      };
      return { message: messages[data.by] };
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
      message: `Stripe has paid ${cents} to your bank account.`,
      email: {
        heading: `${cents} was paid out`,
        explanation: 'It is the sum of what you earned since the payout before.',
      },
    };
  const why = failureCode ? ` (${failureCode.replaceAll('_', ' ')})` : '';
  return {
    message: `Your bank rejected a payout of ${cents}${why}. Please check your bank account at Stripe: then Stripe pays you again.`,
    email: {
      heading: `A payout of ${cents} failed`,
      explanation: 'The money is in your balance at Stripe. Nothing is lost.',
    },
  };
};
