import type { EventData } from '@lendtools/contracts';
import { dayInWords } from './formats.ts';

export interface PayoutText {
  heading: string;
  message: string;
  /** The label of the link to the page "Get paid". */
  label: string;
}

const moreNeeded = { heading: 'Stripe needs more information', label: 'Give the information' };

/** What an owner has to know of a change; undefined if it follows from what the owner just did. */
export const payoutChangeInWords = ({
  state,
  needsInformation,
  neededBy,
  before,
}: EventData<'PayoutAccountChanged'>): PayoutText | undefined => {
  const wasReady = before.state === 'ready';
  if (state === 'not-started')
    return {
      heading: 'Your payouts have stopped',
      message:
        'Your account at Stripe was closed, so you can’t be paid. Please set up payouts again. Your bookings stay as they are.',
      label: 'Set up payouts',
    };
  if (needsInformation && state === 'ready') {
    if (before.needsInformation && wasReady) return undefined;
    const by = neededBy ? ` by ${dayInWords(neededBy.slice(0, 10))}` : ' soon';
    return { ...moreNeeded, message: `Stripe needs more information${by} to keep paying you.` };
  }
  if (state === 'ready')
    return wasReady
      ? undefined
      : {
          heading: 'You’re ready to get paid',
          message: 'Payouts are set up: you can be paid what your tools earn.',
          label: 'See your payouts',
        };
  if (wasReady)
    return {
      ...moreNeeded,
      message:
        'Stripe needs more information, so your payouts are paused. Your bookings stay as they are.',
    };
  if (!needsInformation || before.needsInformation) return undefined;
  return { ...moreNeeded, message: 'Stripe needs more information before you can be paid.' };
};

export const payoutReminder = ({ state }: EventData<'PayoutReminderDue'>): PayoutText =>
  state === 'not-started'
    ? {
        heading: 'Get paid for what you lend',
        message: 'Your tool was booked. Set up payouts, so that you can be paid for it.',
        label: 'Set up payouts',
      }
    : {
        heading: 'Finish setting up your payouts',
        message:
          'Your tool was booked, but your payouts aren’t set up yet. It takes a few more minutes.',
        label: 'Continue',
      };
