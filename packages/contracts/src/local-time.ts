/**
 * Converts between instants and local times with the time zones of Node and browsers. Temporal could do this, but its
 * polyfill adds 19 kB (gzipped) to a tool's page. The tests compare the results with Temporal's.
 */

export const dayMs = 86_400_000;

/** Caches a formatter per time zone, because creating one is fifty times slower than using it. */
export const formatOfZones = (
  options: Intl.DateTimeFormatOptions,
): ((timeZone: string) => Intl.DateTimeFormat) => {
  const formats = new Map<string, Intl.DateTimeFormat>();
  return (timeZone) => {
    const known = formats.get(timeZone);
    if (known) return known;
    const format = new Intl.DateTimeFormat('en-US', { ...options, timeZone });
    formats.set(timeZone, format);
    return format;
  };
};

const clockOf = formatOfZones({
  hourCycle: 'h23',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
});

/**
 * Returns the local time as if it were UTC, in milliseconds. Such values can be compared, and the whole days between them
 * counted.
 */
export const toLocalMs = (instantMs: number, timeZone: string): number => {
  // Parsing the text, such as `11/27/2026, 15:04:05`, is twice as fast as `formatToParts`.
  const shown = clockOf(timeZone).format(instantMs).match(/\d+/g)?.map(Number) ?? [];
  const [month = NaN, day, year = NaN, hour, minute, second] = shown;
  const local = new Date(Date.UTC(2000, month - 1, day, hour, minute, second));
  return local.setUTCFullYear(year, month - 1, day);
};

/** A local time that occurs twice counts as the first of the two. A skipped one counts as an hour later. */
export const toInstantMs = (localMs: number, timeZone: string): number => {
  const aheadAt = (instantMs: number) => toLocalMs(instantMs, timeZone) - instantMs;
  // A day on either side covers every UTC offset, and no zone changes its offset twice within two days.
  const [before, after] = [aheadAt(localMs - dayMs), aheadAt(localMs + dayMs)];
  if (before === after) return localMs - before;
  const instants = [localMs - before, localMs - after].sort((a, b) => a - b);
  return instants.find((instant) => toLocalMs(instant, timeZone) === localMs) ?? localMs - before;
};

/** Returns a date such as `2026-11-27`. */
export const localDate = (timeZone: string, instantMs: number): string =>
  new Date(toLocalMs(instantMs, timeZone)).toISOString().slice(0, 10);

export const laterDay = (date: string, days: number): string =>
  new Date(Date.parse(date) + days * dayMs).toISOString().slice(0, 10);

/** Adds calendar days, so the local time of day stays the same. */
export const daysLater = (instantMs: number, days: number, timeZone: string): number =>
  toInstantMs(toLocalMs(instantMs, timeZone) + days * dayMs, timeZone);

/** The weekdays in the order of `Date.getUTCDay`. */
export const weekdays = [
  'sunday',
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
] as const;
export type Weekday = (typeof weekdays)[number];

export const weekdayOf = (date: string): Weekday => weekdays[new Date(date).getUTCDay()] as Weekday;

export const weekdayName = (day: Weekday): string => day.charAt(0).toUpperCase() + day.slice(1);
