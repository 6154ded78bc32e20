import type { Terms } from './api/terms.ts';
import {
  dayMs,
  daysLater,
  laterDay,
  localDate,
  toInstantMs,
  weekdayName,
  weekdayOf,
} from './local-time.ts';
import {
  type AskedPeriod,
  type Circle,
  checkPeriod,
  hourMs,
  normalTime,
  type PeriodProblem,
  readPeriod,
  readTime,
} from './rental-period.ts';

/**
 * When a tool may be rented. The server's decision, the calendar in its replies and the browser's date picker share
 * these rules.
 */

/** The parts of a tool that its calendar depends on. */
export interface Rules {
  circle: Circle;
  timeZone: string;
  /** Number of units that the owner has. */
  units: number;
  terms: Terms | null;
}

/** Half-open: includes `fromMs`, excludes `toMs`. */
export interface Span {
  fromMs: number;
  toMs: number;
}

/** A unit that is taken, by its number: `booked` if paid, otherwise `held`. */
export interface Taken extends Span {
  unit: number;
  why: 'booked' | 'held';
}

/** The requested rental: instants, and the local dates and times that they come from. */
export interface Wanted extends AskedPeriod {
  startsAtMs: number;
  endsAtMs: number;
  /** Days or hours that are charged. */
  period: number;
  quantity: number;
}

export type WhyNot = 'booked' | 'held' | 'blocked' | 'closed' | 'too-soon';

/** One day in the tool's time zone. */
export interface Day {
  date: string;
  /** Units that are free all day. */
  free: number;
  /** Why no rental can begin or end on this day; a longer rental may span a day that is only `closed`. */
  why: WhyNot | null;
  /** Hourly tools only: spans in which units may be picked up and brought back, with the number of free units. */
  intervals?: (Span & { free: number })[];
}

/** Why a rental is rejected, as a sentence for the user, and the documented field to show it at. */
export interface TermsProblem extends PeriodProblem {
  why: WhyNot | 'too-short' | 'too-long';
  /** Units that are free throughout. */
  free: number;
}

/** Caches when days begin, by time zone and date. Share one map between calendars of the same days. */
export type Midnights = Map<string, number>;

/** A tool's state at one moment. */
export interface Known {
  taken: readonly Taken[];
  nowMs: number;
  midnights?: Midnights;
  /** The rental being changed, which `taken` must not contain. Its unchanged parts are always allowed. */
  had?: Wanted | undefined;
}

const nextDay = (date: string): string => laterDay(date, 1);
const overlaps = (one: Span, other: Span): boolean =>
  one.fromMs < other.toMs && other.fromMs < one.toMs;

/** Opening hours on a date's weekday; undefined: all day, null: closed. */
const hoursOn = (terms: Terms | null, date: string) => terms?.hours?.[weekdayOf(date)];

/** Milliseconds from the start of the day. */
const clockMs = (clock: string): number => readTime(clock) ?? 0;

/** A tool's calendar at one moment. `taken` must cover the requested days and the buffer around them. */
export const calendarOf = (rules: Rules, { taken, nowMs, midnights = new Map(), had }: Known) => {
  const { circle, timeZone, units, terms } = rules;
  const buffer = terms?.buffer ?? 0;
  const noticeMs = noticeHoursOf(terms) * hourMs;
  const today = localDate(timeZone, nowMs);
  /** When a day begins. Cached, because callers ask for each day many times and Intl is slow. */
  const midnight = (date: string): number => {
    const key = `${timeZone} ${date}`;
    const known = midnights.get(key) ?? toInstantMs(Date.parse(date), timeZone);
    midnights.set(key, known);
    return known;
  };
  /** On days without a clock change, adding to midnight avoids a slow Intl call. */
  const at = (date: string, timeMs: number): number => {
    const { fromMs, toMs } = spanOf(date);
    return toMs - fromMs === dayMs
      ? fromMs + timeMs
      : toInstantMs(Date.parse(date) + timeMs, timeZone);
  };
  const spanOf = (from: string, to = from): Span => ({
    fromMs: midnight(from),
    toMs: midnight(nextDay(to)),
  });
  /** When the next rental may begin after one that ends at `endMs`. */
  const readyAfter = (endMs: number): number => {
    if (buffer === 0) return endMs;
    return circle === 'hourly' ? endMs + buffer * hourMs : daysLater(endMs, buffer, timeZone);
  };
  const busy = taken.map((one) => ({ ...one, readyMs: readyAfter(one.toMs) }));
  const blocked = (terms?.blocked ?? []).map(({ from, to }) => spanOf(from, to));
  /** Blocked days within the rental being changed don't count: the owner blocked them after they were booked. */
  const isBlocked = (span: Span, mayKeep = true): boolean =>
    (mayKeep ? newPartsOf(span, had) : [span]).some((part) =>
      blocked.some((block) => overlaps(block, part)),
    );

  /** Taken spans that overlap a rental or leave less than the buffer between the two. */
  const conflicts = <T extends Taken>(span: Span, among: readonly (T & { readyMs: number })[]) => {
    const readyMs = readyAfter(span.toMs);
    return among.filter((one) => span.fromMs < one.readyMs && one.fromMs < readyMs);
  };

  /** The numbers of the units that are free, ignoring opening hours and notice. */
  const freeUnits = (span: Span, among = busy): number[] => {
    if (isBlocked(span)) return [];
    const gone = new Set(conflicts(span, among).map(({ unit }) => unit));
    const free = Array.from({ length: units }, (_, i) => i + 1).filter((unit) => !gone.has(unit));
    // If the owner reduced the units while a higher number is still out, that rental uses up one of the remaining
    // units.
    const surplus = [...gone].filter((unit) => unit > units).length;
    return free.slice(0, Math.max(0, free.length - surplus));
  };

  const whyTaken = (span: Span, quantity: number): 'booked' | 'held' => {
    const paid = busy.filter(({ why }) => why === 'booked');
    return freeUnits(span, paid).length >= quantity ? 'held' : 'booked';
  };

  /** Whether the owner is open at that time; without a time, whether they are open at all on that day. */
  const isOpen = (date: string, time: string): boolean => {
    const hours = hoursOn(terms, date);
    const given = readTime(time);
    if (!hours || given === undefined) return hours !== null;
    const ms = at(date, given);
    return ms >= at(date, clockMs(hours.from)) && ms <= at(date, clockMs(hours.to));
  };

  /** The latest pick-up; without a time, closing time or the end of the day. */
  const lastStartMs = (date: string, time: string): number => {
    const hours = hoursOn(terms, date);
    const latest = readTime(time) ?? (hours ? clockMs(hours.to) : undefined);
    return latest === undefined ? midnight(nextDay(date)) : at(date, latest);
  };

  const isTooSoon = (date: string, time: string): boolean => {
    if (date < today) return true;
    return noticeMs > 0 && lastStartMs(date, time) < nowMs + noticeMs;
  };

  const dayOf = (date: string): Day => {
    const span = spanOf(date);
    const free = freeUnits(span).length;
    const why = (): WhyNot | null => {
      if (isTooSoon(date, '')) return 'too-soon';
      if (isBlocked(span)) return 'blocked';
      if (hoursOn(terms, date) === null) return 'closed';
      return free > 0 ? null : whyTaken(span, 1);
    };
    const day = { date, free, why: why() };
    return circle === 'hourly' ? { ...day, intervals: intervalsOf(date) } : day;
  };

  /** Splits the day wherever a taken or blocked span begins or ends, and merges neighbors with the same free units. */
  const intervalsOf = (date: string): (Span & { free: number })[] => {
    const hours = hoursOn(terms, date);
    if (hours === null) return [];
    const day = spanOf(date);
    const opensMs = hours ? at(date, clockMs(hours.from)) : day.fromMs;
    const fromMs = Math.max(opensMs, nowMs + noticeMs);
    const toMs = hours ? at(date, clockMs(hours.to)) : day.toMs;
    const room = buffer * hourMs;
    const near = busy.filter((one) => one.fromMs - room < toMs && one.readyMs > fromMs);
    const cuts = [
      ...near.flatMap((one) => [one.fromMs - room, one.readyMs]),
      ...blocked.flatMap((b) => [b.fromMs, b.toMs]),
    ].filter((cut) => cut > fromMs && cut < toMs);
    const edges = [...new Set([fromMs, ...cuts, toMs])].sort((a, b) => a - b);
    const pieces: (Span & { units: number[] })[] = [];
    for (const [i, end] of edges.entries()) {
      const start = edges[i - 1];
      if (start === undefined || start >= toMs) continue;
      const piece = {
        fromMs: start,
        toMs: end,
        units: freeUnits({ fromMs: start, toMs: end }, near),
      };
      const last = pieces.at(-1);
      if (last && String(last.units) === String(piece.units)) last.toMs = end;
      else pieces.push(piece);
    }
    return pieces
      .filter((piece) => piece.units.length > 0)
      .map((piece) => ({ fromMs: piece.fromMs, toMs: piece.toMs, free: piece.units.length }));
  };

  return {
    freeUnits,
    isOpen,
    lastStartMs,
    /** From the start of the first day to the end of the last. */
    spanOf,

    /** The members of `among` that conflict with a rental in this span. */
    conflictsOf: <T extends Taken>(span: Span, among: readonly T[]): T[] =>
      conflicts(
        span,
        among.map((one) => ({ ...one, readyMs: readyAfter(one.toMs) })),
      ),

    /** All days from the first to the last, both included. */
    days(from: string, to: string): Day[] {
      const days: Day[] = [];
      for (let date = from; date <= to; date = nextDay(date)) days.push(dayOf(date));
      return days;
    },

    /** Whether an hourly tool is free for some hours on every day; stops at the first day without. */
    hasHoursOnEach(from: string, to: string): boolean {
      for (let date = from; date <= to; date = nextDay(date))
        if (intervalsOf(date).length === 0) return false;
      return true;
    },

    /** Why the rental is rejected; undefined if it is allowed. */
    problemOf(wanted: Wanted): TermsProblem | undefined {
      const { startDate, startTime, endTime, period, quantity } = wanted;
      const endDate = returnDate(wanted, circle);
      const span = { fromMs: wanted.startsAtMs, toMs: wanted.endsAtMs };
      const free = freeUnits(span).length;
      const isNoMore = had !== undefined && quantity <= had.quantity;
      const keepsStart = had?.startsAtMs === wanted.startsAtMs;
      const keepsEnd = had?.endsAtMs === wanted.endsAtMs;
      const { shortest = 0, longest = Number.POSITIVE_INFINITY } = terms ?? {};
      // For hours within one day, report the problem at the time, not at the date.
      const isHours = circle === 'hourly' && startDate === endDate;
      const [from, until] = isHours
        ? (['start_time', 'end_time'] as const)
        : (['start_date', 'end_date'] as const);

      if (!keepsStart && isTooSoon(startDate, startTime)) {
        const field = isTooSoon(startDate, '') ? 'start_date' : from;
        return { why: 'too-soon', field, problem: soonWords(terms), free };
      }
      if (isBlocked(span, isNoMore))
        return { why: 'blocked', field: 'start_date', problem: blockedWords, free: 0 };
      if (!keepsStart && !isOpen(startDate, startTime)) {
        const field = startTime ? 'start_time' : 'start_date';
        return { why: 'closed', field, problem: closedWords(terms, startDate, 'picked up'), free };
      }
      if (!keepsEnd && !isOpen(endDate, endTime || startTime)) {
        const field = endTime ? 'end_time' : 'end_date';
        return { why: 'closed', field, problem: closedWords(terms, endDate, 'brought back'), free };
      }
      if (period < shortest && !(had && period >= had.period)) {
        const problem = `It is rented for at least ${counted(shortest, circle)}.`;
        return { why: 'too-short', field: until, problem, free };
      }
      if (period > longest && !(had && period <= had.period)) {
        const problem = `It is rented for at most ${counted(longest, circle)}.`;
        return { why: 'too-long', field: until, problem, free };
      }
      if (free >= quantity || (isNoMore && newPartsOf(span, had).length === 0)) return undefined;
      const problem = takenWords(free, isHours);
      return { why: whyTaken(span, quantity), field: from, problem, free };
    },
  };
};

/**
 * Whether the tool is free on all of these days, including the last: a daily tool is returned on that day or at the
 * start of the next; an hourly tool needs some free hours on each day. As for holds, at most a year ahead and for at
 * most ninety days.
 */
export const isFreeOn = (
  rules: Rules,
  { from, to }: { from: string; to: string },
  known: Known,
): boolean => {
  const calendar = calendarOf(rules, known);
  const { fromMs: startsAtMs, toMs: endsAtMs } = calendar.spanOf(from, to);
  const asked = { startDate: from, startTime: '', endDate: nextDay(to), endTime: '' };
  const { timeZone } = rules;
  const { nowMs } = known;
  if (checkPeriod(asked, { startsAtMs, endsAtMs, period: 0 }, { timeZone, nowMs })) return false;
  if (rules.circle === 'hourly') return calendar.hasHoursOnEach(from, to);
  const period = readPeriod(asked, rules);
  if ('problem' in period) return false;
  return [nextDay(to), to].some(
    (endDate) => !calendar.problemOf({ ...asked, ...period, endDate, quantity: 1 }),
  );
};

/** Equal dates and equal times of a daily tool mean one whole day, which ends on the next date. */
const returnDate = ({ startDate, startTime, endDate, endTime }: AskedPeriod, circle: Circle) => {
  const isOneTime = startTime !== '' && readTime(endTime || startTime) === readTime(startTime);
  return circle === 'daily' && startDate === endDate && isOneTime ? nextDay(endDate) : endDate;
};

/** The parts of a span that the existing rental does not cover. */
const newPartsOf = (span: Span, had: Wanted | undefined): Span[] => {
  const own = had && { fromMs: had.startsAtMs, toMs: had.endsAtMs };
  if (!own || !overlaps(span, own)) return [span];
  return [
    { fromMs: span.fromMs, toMs: own.fromMs },
    { fromMs: own.toMs, toMs: span.toMs },
  ].filter(({ fromMs, toMs }) => fromMs < toMs);
};

const counted = (count: number, circle: Circle): string =>
  `${count} ${circle === 'hourly' ? 'hour' : 'day'}${count === 1 ? '' : 's'}`;

const blockedWords = 'The owner does not lend it on some of these days. Please choose others.';

const takenWords = (free: number, isHours: boolean): string => {
  if (free > 0)
    return `Only ${free} ${free === 1 ? 'is' : 'are'} free ${isHours ? 'at this time' : 'for these dates'}.`;
  return isHours
    ? 'Somebody else has it during this time. Please choose another.'
    : 'Somebody else has it on some of these dates. Please choose others.';
};

/** Owners who accept requests need at least an hour to answer. */
const noticeHoursOf = (terms: Terms | null): number =>
  Math.max(terms?.noticeHours ?? 0, terms?.booking === 'request' ? 1 : 0);

const soonWords = (terms: Terms | null): string => {
  const hours = noticeHoursOf(terms);
  return hours > 0
    ? `The owner needs ${counted(hours, 'hourly')} of notice. Please choose a later start.`
    : 'The start date has already passed.';
};

const closedWords = (terms: Terms | null, date: string, what: string): string => {
  const hours = hoursOn(terms, date);
  const weekday = weekdayOf(date);
  const days = `${weekdayName(weekday)}s`;
  return hours
    ? `On ${days} it can be ${what} from ${normalTime(hours.from)} to ${normalTime(hours.to)}.`
    : `It can’t be ${what} on ${days}.`;
};
