import { z } from 'zod';
import { type Weekday, weekdays } from '../local-time.ts';
import { bounded, fields, nearDate, text, wholeNumber } from './common.ts';

const clockError = 'Please use a time like 08:00';
const clock = bounded(5, clockError).regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, clockError);
const dayHours = (day: Weekday) => {
  const error = `On ${day.charAt(0).toUpperCase()}${day.slice(1)}s it must open before it closes`;
  return fields({ from: clock, to: clock })
    .refine(({ from, to }) => from < to, { error, path: ['to'] })
    .nullable()
    .optional();
};

/** Both days belong to it. Only the owner, and admins, see the note. */
const blockedDays = fields({
  from: nearDate,
  to: nearDate,
  note: text('a note', 80).optional(),
}).refine(({ from, to }) => from <= to, {
  error: 'The last day must not be before the first',
  path: ['to'],
});

const unique = (days: { days: number }[]): boolean =>
  new Set(days.map((one) => one.days)).size === days.length;

/**
 * What an owner asks of a rental, all of it optional: a tool without terms is always open, at once and for any length.
 * Lengths and the buffer are days of a daily tool and hours of an hourly one.
 */
export const terms = fields({
  blocked: z
    .array(blockedDays, 'Please list the blocked days')
    .max(100, 'At most 100 ranges can be blocked')
    .optional(),
  /** When it may be picked up and brought back. A weekday without hours is open all day, `null` is closed. */
  hours: fields(
    Object.fromEntries(weekdays.map((day) => [day, dayHours(day)])) as Record<
      Weekday,
      ReturnType<typeof dayHours>
    >,
  ).optional(),
  shortest: wholeNumber(1, 2_160, 'The shortest rental is 1 to 2,160 days or hours').optional(),
  longest: wholeNumber(1, 2_160, 'The longest rental is 1 to 2,160 days or hours').optional(),
  noticeHours: wholeNumber(0, 720, 'The notice is 0 to 720 hours').optional(),
  buffer: wholeNumber(0, 30, 'The buffer is 0 to 30 days or hours').optional(),
  discounts: z
    .array(
      fields({
        days: z.literal([3, 7, 28], { error: 'A discount begins at 3, 7 or 28 days' }),
        percent: wholeNumber(1, 90, 'A discount is 1 to 90 percent'),
      }),
      'Please list the discounts',
    )
    .max(3, 'There are three discounts')
    .refine(unique, 'Each discount begins at other days')
    .optional(),
  /** A booked tool stays on offer, and its calendar says when it is free. */
  staysListed: z.boolean('Please say true or false').optional(),
}).refine(({ shortest, longest }) => !shortest || !longest || shortest <= longest, {
  error: 'The longest rental must not be shorter than the shortest',
  path: ['longest'],
});
export type Terms = z.infer<typeof terms>;

/** 100 ranges with their notes, as JSON. */
const longestText = 40_000;

const readJson = (value: unknown): unknown => {
  if (typeof value !== 'string' || value.length > longestText) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
};

/** As a field of a body: JSON, in a form as its text; `null` for none. */
export const termsField = z.preprocess(readJson, terms.nullable()).optional();
