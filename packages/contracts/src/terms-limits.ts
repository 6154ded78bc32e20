import type { Terms } from './api/terms.ts';
import { weekdays } from './local-time.ts';

/** Upper limits of an owner's terms. This file imports no schemas, so that a form can check them before sending. */
export const termsLimits = {
  blocked: 100,
  note: 80,
  /** The maximum for both `shortest` and `longest`, in days for daily tools and in hours for hourly ones. */
  length: 2_160,
  noticeHours: 720,
  /** The longest buffer, in days for daily tools and hours for hourly ones. */
  buffer: 30,
  percent: 90,
};

/** A discount may begin at these rental lengths, in days. */
export const discountDays = [3, 7, 28] as const;

/** Rules between several fields of an owner's terms, each with the field at which a violation is shown. */
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
