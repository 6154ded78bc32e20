/**
 * What a place's clock says and when it says so, by the time zones that Node and browsers have built in. Temporal is this
 * and more, but its polyfill would add 19 kB, gzipped, to a tool's page: the tests compare with it.
 */

export const dayMs = 86_400_000;

const clocks = new Map<string, Intl.DateTimeFormat>();

/** A formatter takes fifty times longer to make than to use. */
const clockOf = (timeZone: string): Intl.DateTimeFormat => {
  const known = clocks.get(timeZone);
  if (known) return known;
  const date = { year: 'numeric', month: 'numeric', day: 'numeric' } as const;
  const time = { hour: 'numeric', minute: 'numeric', second: 'numeric' } as const;
  const clock = new Intl.DateTimeFormat('en-US', { timeZone, hourCycle: 'h23', ...date, ...time });
  clocks.set(timeZone, clock);
  return clock;
};

/** What the clock shows at an instant, in milliseconds as if the place were in UTC: good for order and for whole days. */
export const toLocalMs = (instantMs: number, timeZone: string): number => {
  const shown = clockOf(timeZone).formatToParts(instantMs);
  const get = (type: string) => Number(shown.find((part) => part.type === type)?.value);
  const local = new Date(
    Date.UTC(2000, get('month') - 1, get('day'), get('hour'), get('minute'), get('second')),
  );
  return local.setUTCFullYear(get('year'), get('month') - 1, get('day'));
};

/** When the clock shows it. Of a time that occurs twice, the first; a skipped time is the one an hour later. */
export const toInstantMs = (localMs: number, timeZone: string): number => {
  const aheadAt = (instantMs: number) => toLocalMs(instantMs, timeZone) - instantMs;
  // However far west or east: the clock changes at most once in these two days.
  const [before, after] = [aheadAt(localMs - dayMs), aheadAt(localMs + dayMs)];
  const instants = [localMs - before, localMs - after].sort((a, b) => a - b);
  return instants.find((instant) => toLocalMs(instant, timeZone) === localMs) ?? localMs - before;
};

/** What day it is at a place: `2026-11-27`. */
export const localDate = (timeZone: string, instantMs: number): string =>
  new Date(toLocalMs(instantMs, timeZone)).toISOString().slice(0, 10);

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
