import type { PayoutAccount } from '@lendtools/contracts';
import { formatDate } from '../../rental/format-instant.ts';

export interface PayoutWords {
  title: string;
  text: string;
  /** The label of the owner's one next step. */
  step: string;
  /** Whether the owner has to do something. */
  isOpen: boolean;
}

/** The states of owners' accounts, as admins read them. */
export const payoutStates: Record<PayoutAccount['state'], string> = {
  'not-started': 'Not set up',
  incomplete: 'Set up in part, or paused by Stripe',
  ready: 'Ready',
};

/** Describes where an owner stands with Stripe. */
export function payoutWords({
  state,
  needsInformation,
  isInReview,
  neededBy,
}: PayoutAccount): PayoutWords {
  if (state === 'not-started')
    return {
      title: 'Get paid for what you lend',
      text: 'Set up payouts, so that what your tools earn can go to your bank account.',
      step: 'Set up payouts',
      isOpen: true,
    };
  if (needsInformation) {
    const by = neededBy ? ` by ${formatDate(neededBy)}` : '';
    return {
      title: 'Stripe needs more information',
      text:
        state === 'ready'
          ? `Stripe needs more information${by}. Until then your payouts go on.`
          : 'Your payouts wait until Stripe has it. Your bookings go on as usual.',
      step: 'Give the information',
      isOpen: true,
    };
  }
  if (isInReview)
    return {
      title: 'Stripe is checking your information',
      text: 'This mostly takes minutes, sometimes a few days. You don’t need to do anything.',
      step: 'See it at Stripe',
      isOpen: false,
    };
  if (state === 'incomplete')
    return {
      title: 'You’re almost there',
      text: 'Your payouts aren’t set up yet. Continue where you left off.',
      step: 'Continue at Stripe',
      isOpen: true,
    };
  return {
    title: 'You’re ready to get paid',
    text: 'What your tools earn goes to your bank account.',
    step: 'Open your Stripe dashboard',
    isOpen: false,
  };
}
