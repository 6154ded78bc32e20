import type { Terms } from '@lendtools/contracts';
import { isFreeOn, type Midnights, type Rules } from '@lendtools/contracts/availability';
import { laterDay, localDate } from '@lendtools/contracts/local-time';
import { furthestDays, longestDays } from '@lendtools/contracts/rental-period';

/** The first and the last day on which somebody wants a tool, at its place. */
export interface Dates {
  from: string;
  to: string;
}

/** What a tool's calendar is made of, as far as this service knows it. */
export interface CalendarFacts extends Omit<Rules, 'terms'> {
  terms: Terms | null;
  /** Null for nothing. */
  taken: { unit: number; fromMs: number; toMs: number }[] | null;
}

type Value = (given: unknown) => string;

/** As the index `tool_bookings_taken` has it. */
const isTaken = `b.tool_id = t.id AND b.returned_at IS NULL AND b.cancelled_at IS NULL
  AND (b.booked_at IS NOT NULL OR b.expired_at IS NULL)`;

/**
 * Passes over the tools all of whose units are out at some time of these days, so that a page is not looked for among them. Of
 * the others the calendar decides.
 */
export const notAllTaken = (dates: Dates, value: Value): string =>
  `(t.rental_circle = 'hourly' OR t.units > (
    SELECT count(DISTINCT unit) ${takenOn(dates, value)}))`;

/** The units that are taken on these days, or so many days before or after them, as `unit` and `b`. */
const takenOn = ({ from, to }: Dates, value: Value, around = '0'): string => {
  const midnight = (day: string): string => `((${day})::timestamp AT TIME ZONE o.time_zone)`;
  const [first, last] = [`${value(from)}::date`, `${value(to)}::date`];
  return `FROM owners o JOIN tool_bookings b ON ${isTaken}
      AND b.ends_at > ${midnight(`${first} - ${around}`)}
      AND b.starts_at < ${midnight(`${last} + 1 + ${around}`)},
    unnest(b.units) unit WHERE o.id = t.owner_id`;
};

/** The columns of `CalendarFacts` of `t` (tools). */
export const calendarFacts = (dates: Dates, value: Value): string => {
  const ms = (column: string): string => `extract(epoch FROM b.${column})::float8 * 1000`;
  return `t.rental_circle AS circle, t.units, t.terms,
    (SELECT o.time_zone FROM owners o WHERE o.id = t.owner_id) AS "timeZone",
    (SELECT json_agg(json_build_object('unit', unit, 'fromMs', ${ms('starts_at')}, 'toMs', ${ms('ends_at')}))
     ${takenOn(dates, value, `coalesce((t.terms->>'buffer')::int + 1, 0)`)}) AS taken`;
};

/** Whether these days are over everywhere, or too far ahead or too many for any hold. */
export const areOutOfReach = ({ from, to }: Dates, nowMs: number): boolean =>
  from < localDate('Etc/GMT+12', nowMs) ||
  from > laterDay(localDate('Etc/GMT-14', nowMs), furthestDays) ||
  laterDay(to, 1) > laterDay(from, longestDays);

/** So long may one search keep the process, which answers nobody else while it looks at calendars. */
const mostCalendarMs = 100;

export interface Calendars {
  isFree(tool: CalendarFacts): boolean;
  /** Whether this search has had its time. */
  isSpent(): boolean;
}

/**
 * Says of tool after tool whether it is free, by the calendar that decides on holds. What nobody has taken and whose owner
 * asks nothing is like any other at its place: of those the calendar is asked once.
 */
export const calendarsOn = (dates: Dates, nowMs: number): Calendars => {
  const plain = new Map<string, boolean>();
  const midnights: Midnights = new Map();
  let spentMs = 0;
  const isFree = ({ taken, ...rules }: CalendarFacts): boolean => {
    const ask = () => {
      const known = (taken ?? []).map((one) => ({ ...one, why: 'booked' as const }));
      return isFreeOn(rules, dates, { taken: known, nowMs, midnights });
    };
    if (taken || rules.terms) return ask();
    const key = `${rules.circle} ${rules.timeZone}`;
    const known = plain.get(key) ?? ask();
    plain.set(key, known);
    return known;
  };
  return {
    isFree(tool) {
      const startedMs = performance.now();
      const found = isFree(tool);
      spentMs += performance.now() - startedMs;
      return found;
    },
    isSpent: () => spentMs >= mostCalendarMs,
  };
};
