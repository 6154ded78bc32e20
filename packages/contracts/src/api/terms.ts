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

/** The operator's commission, see `commission.ts`. */
export const commissionTerms = z.object({ percent: z.number(), fixedCents: z.number().int() });

export const cancellationPolicy = z.enum(policyNames, 'Please choose a cancellation policy');

/** The days from `from` to `to`, including both. Only the owner and admins see the note. */
const blockedDays = fields({
  from: nearDate,
  to: nearDate,
  note: text('a note', termsLimits.note).optional(),
}).refine(({ from, to }) => from <= to, {
  error: 'The last day must not be before the first',
  path: ['to'],
});

const { noticeHours, buffer, percent } = termsLimits;

/** Adds the comma of `2,160` by hand, because Intl would load 7 MB of data into every process. */
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
 * An owner's conditions for rentals, all optional. A tool without terms is always open, needs no notice, and has no
 * limits on length. Lengths and the buffer are in days for daily tools and in hours for hourly ones.
 */
export const terms = fields({
  blocked: z
    .array(blockedDays, 'Please list the blocked days')
    .max(termsLimits.blocked, `At most ${termsLimits.blocked} ranges can be blocked`)
    .optional(),
  /** Hours for pick-up and return. A weekday that is absent is open all day; `null` means closed. */
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
   * What renters are refunded when they cancel; by default the whole price, until the start. A booking keeps the
   * policy under which it was made.
   */
  cancellation: cancellationPolicy.optional(),
  /** If true, a booked tool stays in listings; its calendar shows when it is free. */
  staysListed: z.boolean('Please say true or false').optional(),
  /** `request`: the owner accepts or declines each booking. `instant`: a paid booking needs no answer. */
  booking: z.enum(['instant', 'request'], 'Please say instant or request').optional(),
});
export type Terms = z.infer<typeof terms>;

/** The longest JSON text of terms. It has room for 100 blocked ranges with notes. */
const longestText = 40_000;

const readJson = (value: unknown): unknown => {
  if (typeof value !== 'string' || value.length > longestText) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
};

/** Rules between several fields. Only input is checked against them, because stored terms may be older than a rule. */
const checkedTerms = termsRules.reduce(
  (schema, { path, error, holds }) => schema.refine(holds, { error, path: [path] }),
  terms,
);

/** Terms as JSON, or as its text in a form. `null` stands for no terms. */
export const termsField = z.preprocess(readJson, checkedTerms.nullable()).optional();
