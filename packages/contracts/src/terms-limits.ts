import type { Terms } from './api/terms.ts';
import { weekdays } from './local-time.ts';

/** The most that an owner may ask of a rental; without schemas, so that a form can say so before it is sent. */
export const termsLimits = {
  /** Ranges of days. */
  blocked: 100,
  /** Characters of the note of such a range. */
  note: 80,
  /** Days of a daily tool, hours of an hourly one: of the shortest and of the longest rental. */
  length: 2_160,
  noticeHours: 720,
  /** Days or hours, too. */
  buffer: 30,
  /** Of a discount. */
  percent: 90,
};

/** From how many days on a discount may begin. */
export const discountDays = [3, 7, 28] as const;

/** What must hold between the parts of an owner's terms, and where it is said. */
export const termsRules: readonly {
  path: keyof Terms;
  error: string;
  holds: (terms: Terms) => boolean;
}[] = [
  {
    path: 'longest',
    error: 'The longest rental must not be shorter than the shortest',
    holds: ({ shortest, longest }) => !shortest || !longest || shortest <= longest,
  },
  {
    path: 'discounts',
    error: 'A longer rental must not get a smaller discount than a shorter one',
    holds: ({ discounts = [] }) =>
      discounts.every((one) =>
        discounts.every((other) => one.days >= other.days || one.percent <= other.percent),
      ),
  },
  {
    path: 'hours',
    error: 'Please leave it open on at least one day of the week',
    holds: ({ hours }) => !hours || weekdays.some((day) => hours[day] !== null),
  },
];
