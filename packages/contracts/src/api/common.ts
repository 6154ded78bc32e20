import { z } from 'zod';
import { isDeletedEmail } from '../deleted-email.ts';
import { dayMs } from '../local-time.ts';

/** `abort` stops at overlong text. Otherwise zod would still run the other checks, such as a slow pattern. */
const atMost = (length: number, error: string) => z.maxLength(length, { error, abort: true });

/** Text of at most `max` characters. Every schema of external text must use it. */
export const bounded = (max: number, error: string) => z.string(error).check(atMost(max, error));

/** An object with these fields. Anything that is not an object is rejected with our own message. */
export const fields = <S extends z.ZodRawShape>(shape: S) =>
  z.object(shape, 'Please send named fields');

/** The error for a latitude without a longitude, or the reverse; it is reported at the latitude's field. */
export const bothDegrees = (path: string) => ({
  path: [path],
  error: 'Please send both a latitude and a longitude, or neither',
});

/** Every id is a UUIDv7. Upper case is accepted and lowercased. */
export const idOf = (error: string) => bounded(36, error).toLowerCase().check(z.uuid({ error }));
export const id = idOf('This is not a valid id');
export const person = z.object({ id, first_name: z.string(), last_name: z.string() });
/** Clients written to the documentation send this id; the API ignores it. */
export const ignoredId = bounded(100, 'This is not a valid id').optional();

const plain = (label: string, max: number, allowed: RegExp) =>
  z
    .string(`Please enter ${label}`)
    .trim()
    .min(1, `Please enter ${label}`)
    .check(atMost(max, `Please keep ${label} to ${max} characters`))
    .regex(/[^\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u, `Please enter ${label}`)
    .regex(allowed, `Please enter ${label} as plain text`);

/**
 * One trimmed line of 1 to `max` characters. Rejects control characters, characters that change the text direction, and
 * lone surrogates, which databases can't store.
 */
export const text = (label: string, max: number) =>
  plain(label, max, /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]*$/u);

/** Like `text`, but may contain line breaks. */
export const longText = (label: string, max: number) =>
  plain(label, max, /^(?:[^\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]|[\n\r\t])*$/u);

/** Text to search for. Must not contain NUL, which PostgreSQL rejects. */
export const words = z
  .string('Please search for plain words')
  .trim()
  .check(atMost(100, 'Please search for at most 100 characters'))
  .regex(/^\P{Cc}*$/u, 'Please search for plain words');

const decimal = /^-?(?:\d+(?:\.\d*)?|\.\d+)$/;
/** Maximum length of a number as text, including spaces. */
const longestNumber = 30;

const readDecimal = (value: number | string): unknown =>
  typeof value === 'string' && value.length <= longestNumber && decimal.test(value.trim())
    ? Number(value)
    : value;

/**
 * A number, or its decimal text as in forms and query strings. `Number()` would also accept `true`, `[1]` and "0x10".
 */
export const numeric = <S extends z.ZodNumber>(schema: S) => z.preprocess(readDecimal, schema);

/** A whole number from `min` to `max`. Every violation has the same message. */
export const wholeNumber = (min: number, max: number, error: string) =>
  numeric(z.number(error).int(error).min(min, error).max(max, error));

const isWholeCents = (dollars: number): boolean =>
  Math.abs(dollars * 100 - Math.round(dollars * 100)) < 1e-6;

/** Decimal dollars, as in documented fields: up to $100,000, in whole cents. Internally money is in cents. */
export const dollars = numeric(
  z
    .number('Please enter a price in dollars')
    .min(0.01, 'The price must be more than $0')
    .max(100_000, 'The price can be at most $100,000')
    .refine(isWholeCents, 'The price can have at most two decimals'),
);
export const priceBound = numeric(
  z
    .number('Please enter a price in dollars')
    .min(0, 'A price is $0 or more')
    .max(100_000, 'A price is at most $100,000')
    .refine(isWholeCents, 'A price can have at most two decimals'),
);

export const toCents = (amount: number): number => Math.round(amount * 100);
export const toDollars = (cents: number): number => cents / 100;

const emailError = 'Please enter a valid email';
export const email = z
  .string('Please enter your email')
  .trim()
  .check(atMost(254, 'This email is too long'))
  .check(z.email(emailError))
  .transform((value) => value.toLowerCase());

/** An email that an account may get. */
export const newEmail = email.refine((address) => !isDeletedEmail(address), emailError);

const coordinate = (most: number, error: string) =>
  numeric(z.number(error).min(-most, error).max(most, error));

export const point = {
  lat: coordinate(90, 'A latitude lies between -90 and 90'),
  lng: coordinate(180, 'A longitude lies between -180 and 180'),
};

const zipError = 'Please enter a ZIP code of five digits';
/** Accepts `97202` and `97202-1234`; keeps the five digits. */
export const zip = bounded(10, zipError)
  .trim()
  .regex(/^\d{5}(?:-\d{4})?$/, zipError)
  .transform((typed) => typed.slice(0, 5));
export const zipOrNone = bounded(10, zipError)
  .trim()
  .regex(/^(?:\d{5}(?:-\d{4})?)?$/, zipError)
  .transform((typed) => typed.slice(0, 5));

/**
 * `city`: only the city's center is known. `area`: accurate to about half a mile. Positions are never shown more
 * precisely.
 */
export const placeAccuracy = z.enum(['city', 'area']);

export const yesOrNo = (error: string) =>
  z.enum(['true', 'false'], error).transform((value) => value === 'true');

/** `YYYY-MM-DD` in the tool's time zone. */
export const date = (message = 'Please use a date like 2026-05-31') =>
  bounded(10, message).check(z.iso.date({ error: message }));

/** Like `date`, but only in the years 2000 to 2999, so that date arithmetic stays valid. */
export const nearDate = date().refine((day) => day >= '2000' && day < '3000', {
  error: 'Please use a year from 2000 to 2999',
});

const mostDays = 92;

/** True if the period has from 1 to `mostDays` days; its first and last day both count. */
export const isFewDays = ({ from, to }: { from: string; to: string }): boolean => {
  const days = (Date.parse(to) - Date.parse(from)) / dayMs;
  return days >= 0 && days < mostDays;
};
export const fewDays = { error: `Please ask for 1 to ${mostDays} days`, path: ['to'] };

/** `7.00 AM` (the documented form) or `07:00`, in the tool's time zone; empty if the client sends no time. */
export const time = z
  .string('Please use a time like 7.00 AM')
  .trim()
  .check(atMost(8, 'Please use a time like 7.00 AM'))
  .regex(
    /^(?:|(?:0?[1-9]|1[0-2])[.:][0-5]\d ?[AaPp][Mm]|(?:[01]?\d|2[0-3]):[0-5]\d)$/,
    'Please use a time like 7.00 AM',
  );

/** The documented default page size, which is also the largest one. */
export const maxPageSize = 200;

export const page = {
  limit: wholeNumber(1, maxPageSize, `A page holds 1 to ${maxPageSize}`).optional(),
  cursor: bounded(500, 'This page does not exist').optional(),
};

/** Changes with each edit. A client that sends it back in `If-Match`, as `"7"`, does not overwrite newer edits. */
export const revision = z.number().int();

/** Null on the last page. */
export const nextCursor = z.string().nullable();

/**
 * Only on the first page of an admin's list. Filtered lists, tools and reviews are counted up to 10,000; if there are more,
 * `isTotalCapped` is true.
 */
export const listTotal = {
  total: z.number().int().optional(),
  isTotalCapped: z.boolean().optional(),
};
export type ListTotal = z.infer<z.ZodObject<typeof listTotal>>;

/** The picture's URL path. If there is no picture, the text "null", as documented. */
export const imagePath = z.string();

/** The error reply of every service and the gateway: RFC 9457 with two documented fields, `message` and `errors`. */
export const problem = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.number().int(),
    code: z.string(),
    detail: z.string(),
    requestId: z.string(),
    message: z.string(),
    errors: z.array(z.object({ msg: z.string(), path: z.string() })),
  })
  .loose();
export type Problem = z.infer<typeof problem>;

export const message = z.object({ message: z.string() });
