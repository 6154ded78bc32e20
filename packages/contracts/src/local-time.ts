/**
 * What a place's clock says and when it says so, by the time zones that Node and browsers have built in. Temporal is this
 * and more, but its polyfill would add 19 kB, gzipped, to a tool's page: the tests compare with it.
 */

export const dayMs = 86_400_000;

/** One formatter for each time zone: it takes fifty times longer to make than to use. */
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
  ...{ year: 'numeric', month: 'numeric', day: 'numeric' },
  ...{ hour: 'numeric', minute: 'numeric', second: 'numeric' },
});

/** What the clock shows at an instant, in milliseconds as if the place were in UTC: good for order and for whole days. */
export const toLocalMs = (instantMs: number, timeZone: string): number => {
  // Its parts would take twice as long as its text: `11/27/2026, 15:04:05`.
  const shown = clockOf(timeZone).format(instantMs).match(/\d+/g)?.map(Number) ?? [];
  const [month = NaN, day, year = NaN, hour, minute, second] = shown;
  const local = new Date(Date.UTC(2000, month - 1, day, hour, minute, second));
  return local.setUTCFullYear(year, month - 1, day);
};

/** When the clock shows it. Of a time that occurs twice, the first; a skipped time is the one an hour later. */
export const toInstantMs = (localMs: number, timeZone: string): number => {
  const aheadAt = (instantMs: number) => toLocalMs(instantMs, timeZone) - instantMs;
  // However far west or east: the clock changes at most once in these two days.
  const [before, after] = [aheadAt(localMs - dayMs), aheadAt(localMs + dayMs)];
  if (before === after) return localMs - before;
  const instants = [localMs - before, localMs - after].sort((a, b) => a - b);
  return instants.find((instant) => toLocalMs(instant, timeZone) === localMs) ?? localMs - before;
};

/** What day it is at a place: `2026-11-27`. */
export const localDate = (timeZone: string, instantMs: number): string =>
  new Date(toLocalMs(instantMs, timeZone)).toISOString().slice(0, 10);

/** The local date so many days later. */
export const laterDay = (date: string, days: number): string =>
  new Date(Date.parse(date) + days * dayMs).toISOString().slice(0, 10);

/** The same time of the clock, so many days later. */
export const daysLater = (instantMs: number, days: number, timeZone: string): number =>
  toInstantMs(toLocalMs(instantMs, timeZone) + days * dayMs, timeZone);

/** In the order of `Date.getUTCDay`. */
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

/** Of a date such as `2026-11-27`. */
export const weekdayOf = (date: string): Weekday => weekdays[new Date(date).getUTCDay()] as Weekday;

export const weekdayName = (day: Weekday): string => day.charAt(0).toUpperCase() + day.slice(1);
