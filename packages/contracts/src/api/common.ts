import { z } from 'zod';
import { dayMs } from '../local-time.ts';

/** Longer input is never matched against a pattern: zod continues after a failed check unless that check aborts. */
const atMost = (length: number, error: string) => z.maxLength(length, { error, abort: true });

/** Text of at most `max` characters: the start of every schema for text from outside. */
export const bounded = (max: number, error: string) => z.string(error).check(atMost(max, error));

/** The fields of a call or of a part of it; anything else in their place is refused. */
export const fields = <S extends z.ZodRawShape>(shape: S) =>
  z.object(shape, 'Please send named fields');

/** The error for half a point, at the field of its latitude. */
export const bothDegrees = (path: string) => ({
  path: [path],
  error: 'Please send both a latitude and a longitude, or neither',
});

/** A UUIDv7 as every entity's id. Upper case is accepted and folded. */
export const idOf = (error: string) => bounded(36, error).toLowerCase().check(z.uuid({ error }));
export const id = idOf('This is not a valid id');
/** A party of a booking, or an admin, by name. */
export const person = z.object({ id, first_name: z.string(), last_name: z.string() });
/** An id that the documented calls send and that nothing reads. */
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
 * One line of text of 1 to `max` characters, trimmed. Control characters are refused, including those that change the
 * direction of text, and so are lone surrogates, which no database stores.
 */
export const text = (label: string, max: number) =>
  plain(label, max, /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]*$/u);

/** As `text`, of any number of lines. */
export const longText = (label: string, max: number) =>
  plain(label, max, /^(?:[^\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]|[\n\r\t])*$/u);

/** What is searched for. PostgreSQL takes no NUL. */
export const words = z
  .string('Please search for plain words')
  .trim()
  .check(atMost(100, 'Please search for at most 100 characters'))
  .regex(/^\P{Cc}*$/u, 'Please search for plain words');

const decimal = /^-?(?:\d+(?:\.\d*)?|\.\d+)$/;
/** Longer than any number here, including spaces. */
const longestNumber = 30;

const readDecimal = (value: number | string): unknown =>
  typeof value === 'string' && value.length <= longestNumber && decimal.test(value.trim())
    ? Number(value)
    : value;

/**
 * A number, or its decimal text as forms and addresses carry it. JavaScript would also accept `true`, `[1]` and
 * "0x10".
 */
export const numeric = <S extends z.ZodNumber>(schema: S) => z.preprocess(readDecimal, schema);

/** A whole number from `min` to `max`; anything else is refused with this one message. */
export const wholeNumber = (min: number, max: number, error: string) =>
  numeric(z.number(error).int(error).min(min, error).max(max, error));

const isWholeCents = (dollars: number): boolean =>
  Math.abs(dollars * 100 - Math.round(dollars * 100)) < 1e-6;

/** Decimal dollars, as the documented fields carry money: up to $100,000 and whole cents. Internally it is cents. */
export const dollars = numeric(
  z
    .number('Please enter a price in dollars')
    .min(0.01, 'The price must be more than $0')
    .max(100_000, 'The price can be at most $100,000')
    .refine(isWholeCents, 'The price can have at most two decimals'),
);
/** Where a range of prices begins or ends, in decimal dollars and whole cents. */
export const priceBound = numeric(
  z
    .number('Please enter a price in dollars')
    .min(0, 'A price is $0 or more')
    .max(100_000, 'A price is at most $100,000')
    .refine(isWholeCents, 'A price can have at most two decimals'),
);

export const toCents = (amount: number): number => Math.round(amount * 100);
export const toDollars = (cents: number): number => cents / 100;

export const email = z
  .string('Please enter your email')
  .trim()
  .check(atMost(254, 'This email is too long'))
  .check(z.email('Please enter a valid email'))
  .transform((value) => value.toLowerCase());

const coordinate = (most: number, error: string) =>
  numeric(z.number(error).min(-most, error).max(most, error));

/** A point of the map, in degrees. */
export const point = {
  lat: coordinate(90, 'A latitude lies between -90 and 90'),
  lng: coordinate(180, 'A longitude lies between -180 and 180'),
};

const zipError = 'Please enter a ZIP code of five digits';
/** Five digits out of `97202` or `97202-1234`. */
export const zip = bounded(10, zipError)
  .trim()
  .regex(/^\d{5}(?:-\d{4})?$/, zipError)
  .transform((typed) => typed.slice(0, 5));
/** The same, or empty for none. */
export const zipOrNone = bounded(10, zipError)
  .trim()
  .regex(/^(?:\d{5}(?:-\d{4})?)?$/, zipError)
  .transform((typed) => typed.slice(0, 5));

/**
 * Precision of a place: `city` (the city's center stands for it) or `area` (about half a mile). Positions are never exposed
 * more precisely.
 */
export const placeAccuracy = z.enum(['city', 'area']);

/** `true` or `false` in an address. */
export const yesOrNo = (error: string) =>
  z.enum(['true', 'false'], error).transform((value) => value === 'true');

/** `YYYY-MM-DD`, local to the tool. */
export const date = (message = 'Please use a date like 2026-05-31') =>
  bounded(10, message).check(z.iso.date({ error: message }));

/** As `date`, in a year whose days can be counted from one to the next. */
export const nearDate = date().refine((day) => day >= '2000' && day < '3000', {
  error: 'Please use a year from 2000 to 2999',
});

const mostDays = 92;

/** From one day to another, which both belong to it. */
export const isFewDays = ({ from, to }: { from: string; to: string }): boolean => {
  const days = (Date.parse(to) - Date.parse(from)) / dayMs;
  return days >= 0 && days < mostDays;
};
export const fewDays = { error: `Please ask for 1 to ${mostDays} days`, path: ['to'] };

/** `7.00 AM` (the documented form) or `07:00`; local to the tool. Empty where the client has none. */
export const time = z
  .string('Please use a time like 7.00 AM')
  .trim()
  .check(atMost(8, 'Please use a time like 7.00 AM'))
  .regex(
    /^(?:|(?:0?[1-9]|1[0-2])[.:][0-5]\d ?[AaPp][Mm]|(?:[01]?\d|2[0-3]):[0-5]\d)$/,
    'Please use a time like 7.00 AM',
  );

/** The documented page size if none is given, and the largest one. */
export const maxPageSize = 200;

export const page = {
  limit: wholeNumber(1, maxPageSize, `A page holds 1 to ${maxPageSize}`).optional(),
  cursor: bounded(500, 'This page does not exist').optional(),
};

/** Changes with each edit: sent back in `If-Match`, as `"7"`, it keeps an edit from overwriting another one. */
export const revision = z.number().int();

/** Opaque; null on the last page. */
export const nextCursor = z.string().nullable();

/** How many rows an admin's list has; on its first page. A narrowed list is counted up to 10,000: capped, it has more. */
export const listTotal = {
  total: z.number().int().optional(),
  isTotalCapped: z.boolean().optional(),
};
export type ListTotal = z.infer<z.ZodObject<typeof listTotal>>;

/** A URL path of an image, or the documented text "null" where there is none. */
export const imagePath = z.string();

/** The one error shape of every service and the gateway (RFC 9457 plus the documented `message` and `errors`). */
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
