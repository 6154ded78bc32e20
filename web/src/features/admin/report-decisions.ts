import type { ReportDecision } from '@lendtools/contracts';

export interface SavedText {
  name: string;
  text: string;
}

interface DecisionWords {
  label: string;
  /** What happens. */
  effect: string;
  /** Saved texts that can be changed before they are sent. */
  texts: SavedText[];
}

export const decisions: Record<ReportDecision, DecisionWords> = {
  dismiss: {
    label: 'Dismiss: nothing is wrong',
    effect:
      'The reporter gets the reasons. The author is notified only if there was a decision before.',
    texts: [
      {
        name: 'Nothing found',
        text: 'We have reviewed it and found nothing that breaks the law or our rules.',
      },
      {
        name: 'Between the parties',
        text: 'This is a disagreement about a rental. Please report it as a problem on the booking’s page, where both of you can show what happened.',
      },
      {
        name: 'Shown again',
        text: 'We have reviewed it again and found that our decision was wrong. We are sorry.',
      },
    ],
  },
  warn: {
    label: 'Warn the author',
    effect: 'Both get the reasons. The content stays.',
    texts: [
      {
        name: 'Please correct it',
        text: 'The description promises more than the tool is. Please correct it, or we will hide it.',
      },
      {
        name: 'Payment elsewhere',
        text: 'Rentals are paid on LendTools only, so that both sides are protected. Asking for payment elsewhere breaks our rules.',
      },
    ],
  },
  hide: {
    label: 'Hide it',
    effect:
      'Both get the reasons. Only the author and admins still see it, and it can be shown again.',
    texts: [
      {
        name: 'Scam',
        text: 'It shows the signs of a scam, which breaks our rules.',
      },
      {
        name: 'Not allowed',
        text: 'Tools of this kind may not be offered on LendTools.',
      },
      {
        name: 'Someone else’s work',
        text: 'It uses pictures or texts of someone else without permission. Replace them, and we will show it again.',
      },
    ],
  },
  disable: {
    label: 'Disable the author’s account',
    effect:
      'The author is logged out, and their tools leave the market. Bookings that have not started are cancelled and refunded in full.',
    texts: [
      {
        name: 'Repeated',
        text: 'The account broke our rules repeatedly, after our warning.',
      },
      { name: 'Fraud', text: 'The account was used for fraud.' },
    ],
  },
};
