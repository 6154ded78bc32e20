import type { Terms } from './api/terms.ts';
import { type FreeInterval, unitsOf } from './availability/free-units.ts';
import { localDaysOf, nextDay } from './availability/local-days.ts';
import { openingHoursOf } from './availability/opening-hours.ts';
import { findTermsProblem } from './availability/terms-problem.ts';
import { localDate } from './local-time.ts';
import {
  type Circle,
  checkPeriod,
  type PeriodProblem,
  type RequestedPeriod,
  readPeriod,
} from './rental-period.ts';

/**
 * Decides when a tool may be rented. The server's decision, the calendar in its replies and the browser's date picker
 * all use these rules.
 */

/** What a tool's calendar depends on. */
export interface Rules {
  circle: Circle;
  timeZone: string;
  units: number;
  terms: Terms | null;
}

/** Includes `fromMs`, excludes `toMs`. */
export interface Span {
  fromMs: number;
  toMs: number;
}

/** When a unit (given by its number) is not available: `booked` if it is paid for, otherwise `held`. */
export interface Taken extends Span {
  unit: number;
  why: 'booked' | 'held';
}

/** The requested rental, as instants and as the local dates and times that the renter sent. */
export interface Wanted extends RequestedPeriod {
  startsAtMs: number;
  endsAtMs: number;
  /** Number of days or hours charged. */
  period: number;
  quantity: number;
}

export type WhyNot = 'booked' | 'held' | 'blocked' | 'closed' | 'too-soon';

/** A day in the tool's time zone. */
export interface Day {
  date: string;
  /** Units that are free all day. */
  free: number;
  /** Why no rental can begin or end on this day. A longer rental may still span a day that is only `closed`. */
  why: WhyNot | null;
  /** Only for hourly tools: when units may be picked up and brought back, with the number of free units. */
  intervals?: FreeInterval[];
}

/** Why a rental is rejected, as a sentence for the user, and the documented field that the sentence belongs to. */
export interface TermsProblem extends PeriodProblem {
  why: WhyNot | 'too-short' | 'too-long';
  free: number;
}

/** Caches the start of each day by time zone and date. Calendars of the same days should share one map. */
export type Midnights = Map<string, number>;

export interface Known {
  taken: readonly Taken[];
  nowMs: number;
  midnights?: Midnights;
  /** The rental that is being changed. `taken` must not contain it. Its unchanged parts are always allowed. */
  had?: Wanted | undefined;
}

/** Returns a tool's calendar at one moment. `taken` must cover the requested days and the buffer around them. */
export const calendarOf = (rules: Rules, { taken, nowMs, midnights = new Map(), had }: Known) => {
  const { circle, timeZone, terms } = rules;
  const localDays = localDaysOf(timeZone, midnights);
  const hours = openingHoursOf(terms, localDays, { today: localDate(timeZone, nowMs), nowMs });
  const units = unitsOf(rules, { taken, had }, localDays);
  const { spanOf } = localDays;

  const intervalsOf = (date: string): FreeInterval[] => {
    const left = hours.hoursLeftOn(date);
    return left ? units.freeIntervals(left) : [];
  };
  const whyNot = (date: string, free: number): WhyNot | null => {
    const span = spanOf(date);
    if (hours.isTooSoon(date, '')) return 'too-soon';
    if (units.isBlocked(span)) return 'blocked';
    if (!hours.isOpen(date, '')) return 'closed';
    return free > 0 ? null : units.whyTaken(span, 1);
  };
  const dayOf = (date: string): Day => {
    const free = units.freeUnits(spanOf(date)).length;
    const day = { date, free, why: whyNot(date, free) };
    return circle === 'hourly' ? { ...day, intervals: intervalsOf(date) } : day;
  };

  return {
    spanOf,
    isOpen: hours.isOpen,
    lastStartMs: hours.lastStartMs,
    freeUnits: units.freeUnits,
    conflictsOf: units.conflictsOf,

    /** Returns all days from the first to the last, including both. */
    days(from: string, to: string): Day[] {
      const days: Day[] = [];
      for (let date = from; date <= to; date = nextDay(date)) days.push(dayOf(date));
      return days;
    },

    /** True if an hourly tool is free for some hours on every day. Stops at the first day without any. */
    hasHoursOnEach(from: string, to: string): boolean {
      for (let date = from; date <= to; date = nextDay(date))
        if (intervalsOf(date).length === 0) return false;
      return true;
    },

    /** Why the rental is rejected; undefined if it is allowed. */
    problemOf: (wanted: Wanted) => findTermsProblem(wanted, { rules, hours, units, had }),
  };
};

/**
 * True if the tool is free on all of these days, including the last. A daily tool may be returned on the last day or
 * at the start of the next one; an hourly tool needs some free hours on each day. As with holds, the days must be at
 * most a year ahead, and at most ninety.
 */
export const isFreeOn = (
  rules: Rules,
  { from, to }: { from: string; to: string },
  known: Known,
): boolean => {
  const calendar = calendarOf(rules, known);
  const { fromMs: startsAtMs, toMs: endsAtMs } = calendar.spanOf(from, to);
  const requested = { startDate: from, startTime: '', endDate: nextDay(to), endTime: '' };
  const { timeZone } = rules;
  const { nowMs } = known;
  if (checkPeriod(requested, { startsAtMs, endsAtMs, period: 0 }, { timeZone, nowMs }))
    return false;
  if (rules.circle === 'hourly') return calendar.hasHoursOnEach(from, to);
  const period = readPeriod(requested, rules);
  if ('problem' in period) return false;
  return [nextDay(to), to].some(
    (endDate) => !calendar.problemOf({ ...requested, ...period, endDate, quantity: 1 }),
  );
};
