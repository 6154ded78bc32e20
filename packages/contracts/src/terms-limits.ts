import type { Terms } from './api/terms.ts';
import { weekdays } from './local-time.ts';

/** Upper limits of an owner's terms. Without schemas, so that a form can check them before sending. */
export const termsLimits = {
  /** Number of blocked ranges. */
  blocked: 100,
  /** Characters of a blocked range's note. */
  note: 80,
  /** The shortest and longest rental: days of a daily tool, hours of an hourly one. */
  length: 2_160,
  noticeHours: 720,
  /** The longest buffer: days of a daily tool, hours of an hourly one. */
  buffer: 30,
  /** The largest discount. */
  percent: 90,
};

/** Rental lengths in days at which a discount may begin. */
export const discountDays = [3, 7, 28] as const;

/** Rules between fields of an owner's terms, and the field to show each violation at. */
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
