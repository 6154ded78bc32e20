import type { PayoutAccount, PayoutWait } from '@lendtools/contracts';
import * as paths from '@lendtools/contracts/pages';
import { payoutWords } from '../../ui/payouts/payout-words.ts';

export interface WaitWords {
  title: string;
  text: string;
  /** The owner's one next step; without it, the owner has to do nothing. */
  step?: { label: string; to: string };
}

const seeBookings = { label: 'See your bookings', to: paths.myBookings };

function accountWords(account: PayoutAccount | undefined): WaitWords {
  const step = { label: 'See your payouts', to: paths.getPaid };
  if (!account || (account.state === 'ready' && !account.needsInformation))
    return { title: 'Your payouts wait for Stripe', text: 'Please see what is missing.', step };
  const { title, text, step: label, isOpen } = payoutWords(account);
  return { title, text, step: isOpen ? { ...step, label } : step };
}

const words: Record<Exclude<PayoutWait, 'account'>, WaitWords> = {
  hold: {
    title: 'Your payouts are on hold',
    text: 'Please contact us. Your bookings go on as usual.',
  },
  rental: {
    title: 'The rental is not over',
    text: 'You are paid after it. Confirm the return as soon as the tool is back.',
    step: seeBookings,
  },
  problem: {
    title: 'A problem was reported',
    text: 'Our team looks at it and writes to you and the renter. You are paid once it is settled.',
    step: seeBookings,
  },
  release: {
    title: 'Problems can still be reported',
    text: 'You are paid when the time for that is over.',
  },
  dispute: {
    title: 'The bank of the renter’s card asks about the payment',
    text: 'We answer the bank. It may take weeks until it decides.',
  },
  transfer: {
    title: 'It is being sent',
    text: 'We are sending it to your account at Stripe.',
  },
};

export function waitWords(wait: PayoutWait, account: PayoutAccount | undefined): WaitWords {
  return wait === 'account' ? accountWords(account) : words[wait];
}

/** Why the money of one booking waits, in a few words. */
export const shortWaits: Record<PayoutWait, string> = {
  rental: 'The rental is not over',
  problem: 'A problem was reported',
  release: 'Problems can still be reported',
  dispute: 'The renter’s bank decides',
  account: 'Your account at Stripe isn’t ready',
  hold: 'Your payouts are on hold',
  transfer: 'It is being sent',
};
