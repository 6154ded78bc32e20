import { z } from 'zod';
import { policyNames } from '../cancellation.ts';
import { type Weekday, weekdayName, weekdays } from '../local-time.ts';
import { discountDays, termsLimits, termsRules } from '../terms-limits.ts';
import { bounded, fields, nearDate, text, wholeNumber } from './common.ts';

const clockError = 'Please use a time like 08:00';
const clock = bounded(5, clockError).regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, clockError);
const dayHours = (day: Weekday) => {
  const error = `On ${weekdayName(day)}s it must open before it closes`;
  return fields({ from: clock, to: clock })
    .refine(({ from, to }) => from < to, { error, path: ['to'] })
    .nullable()
    .optional();
};

export const cancellationPolicy = z.enum(policyNames, 'Please choose a cancellation policy');

/** Includes both days. Only the owner and admins see the note. */
const blockedDays = fields({
  from: nearDate,
  to: nearDate,
  note: text('a note', termsLimits.note).optional(),
}).refine(({ from, to }) => from <= to, {
  error: 'The last day must not be before the first',
  path: ['to'],
});

const { noticeHours, buffer, percent } = termsLimits;

/** Formats `2,160` by hand, because Intl would load 7 MB of data into every process. */
const longestInWords = String(termsLimits.length).replace(/(\d{3})$/, ',$1');

const length = (which: 'shortest' | 'longest') =>
  wholeNumber(
    1,
    termsLimits.length,
    `The ${which} rental is 1 to ${longestInWords} days or hours`,
  ).optional();

const unique = (days: { days: number }[]): boolean =>
  new Set(days.map((one) => one.days)).size === days.length;

/**
 * An owner's conditions for rentals, all optional: a tool without terms is always open, without notice, for any
 * length. Lengths and the buffer are in days for daily tools and in hours for hourly ones.
 */
export const terms = fields({
  blocked: z
    .array(blockedDays, 'Please list the blocked days')
    .max(termsLimits.blocked, `At most ${termsLimits.blocked} ranges can be blocked`)
    .optional(),
  /** Hours for pick-up and return. A weekday without hours is open all day; `null` means closed. */
  hours: z
    .strictObject(
      Object.fromEntries(weekdays.map((day) => [day, dayHours(day)])) as Record<
        Weekday,
        ReturnType<typeof dayHours>
      >,
      'Please name the hours of weekdays, from sunday to saturday',
    )
    .optional(),
  shortest: length('shortest'),
  longest: length('longest'),
  noticeHours: wholeNumber(0, noticeHours, `The notice is 0 to ${noticeHours} hours`).optional(),
  buffer: wholeNumber(0, buffer, `The buffer is 0 to ${buffer} days or hours`).optional(),
  discounts: z
    .array(
      fields({
        days: z.literal([...discountDays], { error: 'A discount begins at 3, 7 or 28 days' }),
        percent: wholeNumber(1, percent, `A discount is 1 to ${percent} percent`),
      }),
      'Please list the discounts',
    )
    .max(3, 'There are three discounts')
    .refine(unique, 'Each discount begins at other days')
    .optional(),
  /**
   * Refund policy for renters who cancel; without one, a full refund until the start. Bookings keep the policy that
   * they were made under.
   */
  cancellation: cancellationPolicy.optional(),
  /** Keeps a booked tool listed; its calendar shows when it is free. */
  staysListed: z.boolean('Please say true or false').optional(),
  /** `request`: the owner accepts or declines each booking. `instant`: paying books it. */
  booking: z.enum(['instant', 'request'], 'Please say instant or request').optional(),
});
export type Terms = z.infer<typeof terms>;

/** The longest JSON text of terms: 100 blocked ranges with notes fit. */
const longestText = 40_000;

const readJson = (value: unknown): unknown => {
  if (typeof value !== 'string' || value.length > longestText) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
};

/** Rules apply only to what an owner sends, because stored terms in replies and events may be older than a rule. */
const checkedTerms = termsRules.reduce(
  (schema, { path, error, holds }) => schema.refine(holds, { error, path: [path] }),
  terms,
);

/** A body field: JSON, or its text in a form; `null` for no terms. */
export const termsField = z.preprocess(readJson, checkedTerms.nullable()).optional();
