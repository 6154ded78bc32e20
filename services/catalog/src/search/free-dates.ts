import type { Terms } from '@lendtools/contracts';
import { isFreeOn, type Midnights, type Rules } from '@lendtools/contracts/availability';
import { laterDay, localDate } from '@lendtools/contracts/local-time';
import { furthestDays, longestDays } from '@lendtools/contracts/rental-period';
import type { AddValue } from '../store/statement-values.ts';

/** First and last day of the rental, in the tool's time zone. */
export interface Dates {
  from: string;
  to: string;
}

/** The inputs of a tool's calendar that the catalog service stores. */
export interface CalendarFacts extends Omit<Rules, 'terms'> {
  terms: Terms | null;
  /** The booked times of each unit; null if nothing is booked. */
  taken: { unit: number; fromMs: number; toMs: number }[] | null;
}

/** Whether the booking or hold `b` occupies the tool `t`. Must match the predicate of the index `tool_bookings_taken`. */
const isTaken = `b.tool_id = t.id AND b.returned_at IS NULL AND b.cancelled_at IS NULL
  AND (b.booked_at IS NOT NULL OR b.expired_at IS NULL)`;

/** SQL condition that omits daily tools whose units are all booked on these days, so that fewer calendars are computed. */
export const notAllTaken = (dates: Dates, value: AddValue): string =>
  `(t.rental_circle = 'hourly' OR t.units > (
    SELECT count(DISTINCT unit) ${takenOn(dates, value)}))`;

/** SQL that selects the units booked on these days, or within `around` days of them. Its alias for bookings is `b`. */
const takenOn = ({ from, to }: Dates, value: AddValue, around = '0'): string => {
  const midnight = (day: string): string => `((${day})::timestamp AT TIME ZONE o.time_zone)`;
  const [first, last] = [`${value(from)}::date`, `${value(to)}::date`];
  return `FROM owners o JOIN tool_bookings b ON ${isTaken}
      AND b.ends_at > ${midnight(`${first} - ${around}`)}
      AND b.starts_at < ${midnight(`${last} + 1 + ${around}`)},
    unnest(b.units) unit WHERE o.id = t.owner_id`;
};

/** The columns of `CalendarFacts`, for a query that names the table of tools `t`. */
export const calendarFacts = (dates: Dates, value: AddValue): string => {
  const ms = (column: string): string => `extract(epoch FROM b.${column})::float8 * 1000`;
  return `t.rental_circle AS circle, t.units, t.terms,
    (SELECT o.time_zone FROM owners o WHERE o.id = t.owner_id) AS "timeZone",
    (SELECT json_agg(json_build_object('unit', unit, 'fromMs', ${ms('starts_at')}, 'toMs', ${ms('ends_at')}))
     ${takenOn(dates, value, `coalesce((t.terms->>'buffer')::int + 1, 0)`)}) AS taken`;
};

/** Whether no tool can be rented on these days: they are past in every time zone, too far ahead, or too many. */
export const areOutOfReach = ({ from, to }: Dates, nowMs: number): boolean =>
  from < localDate('Etc/GMT+12', nowMs) ||
  from > laterDay(localDate('Etc/GMT-14', nowMs), furthestDays) ||
  laterDay(to, 1) > laterDay(from, longestDays);

/** How long one search may compute calendars at most, because computing blocks the event loop. */
const mostCalendarMs = 100;

/** CPU time of this thread: on a busy machine, the time in which others had the processor does not count. */
const cpuMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

export interface Calendars {
  isFree(tool: CalendarFacts): boolean;
  isSpent(): boolean;
}

/** Checks tools with the same code that decides on holds. Tools without terms and without booked times share cached results. */
export const calendarsOn = (dates: Dates, nowMs: number): Calendars => {
  const plain = new Map<string, boolean>();
  const midnights: Midnights = new Map();
  let spentMs = 0;
  const isFree = ({ taken, ...rules }: CalendarFacts): boolean => {
    const compute = () => {
      const known = (taken ?? []).map((one) => ({ ...one, why: 'booked' as const }));
      return isFreeOn(rules, dates, { taken: known, nowMs, midnights });
    };
    if (taken || rules.terms) return compute();
    const key = `${rules.circle} ${rules.timeZone}`;
    const known = plain.get(key) ?? compute();
    plain.set(key, known);
    return known;
  };
  return {
    isFree(tool) {
      const startedMs = cpuMs();
      const found = isFree(tool);
      spentMs += cpuMs() - startedMs;
      return found;
    },
    isSpent: () => spentMs >= mostCalendarMs,
  };
};
