import type { Availability, Tool } from '@lendtools/contracts';
import { calendarOf, type TermsProblem, type WhyNot } from '@lendtools/contracts/availability';
import { type RequestedPeriod, readPeriod } from '@lendtools/contracts/rental-period';
import type { BookingDraft } from './booking-draft.ts';

type CalendarDay = Availability['days'][number];

export interface ToolCalendar {
  /** The server's data for a day; undefined until it has loaded. */
  dayOf: (date: string) => CalendarDay | undefined;
  /** Whether a rental may start or end at this time of that day, by the owner's hours. */
  isOpen: (date: string, time: string) => boolean;
  /** Whether all units are taken at this moment. */
  isTakenNow: boolean;
  /** Whether all units are taken during the whole day. */
  isTakenAllDay: (date: string) => boolean;
  /** The minimum rental in days for a daily tool, otherwise 1. */
  shortestDays: number;
  /** Why a draft with both dates can't be rented, by the same rules as on the server. */
  problemOf: (draft: BookingDraft) => TermsProblem | undefined;
}

export function toPeriodInput({
  start_date,
  start_time,
  end_date,
  end_time,
}: BookingDraft): RequestedPeriod {
  return {
    startDate: start_date,
    startTime: start_time,
    endDate: end_date,
    endTime: end_time,
  };
}

/** Combines a tool's terms with its availability. The dates of the `booking` being changed stay available. */
export function makeToolCalendar(
  tool: Tool,
  pages: Availability[],
  booking?: BookingDraft,
): ToolCalendar {
  const [firstPage] = pages;
  const rules = {
    circle: firstPage?.rental_circle ?? tool.rental_circle,
    timeZone: tool.timeZone,
    units: firstPage?.quantity ?? tool.quantity,
    terms: (firstPage ? firstPage.terms : tool.terms) ?? null,
  };
  const taken = pages.flatMap((page) =>
    page.taken.map(({ unit, why, from, to }) => ({
      unit,
      why,
      fromMs: Date.parse(from),
      toMs: Date.parse(to),
    })),
  );
  const days = new Map(pages.flatMap((page) => page.days.map((day) => [day.date, day])));
  const wantedOf = (draft: BookingDraft) => {
    const input = toPeriodInput(draft);
    const period = readPeriod(input, rules);
    return 'problem' in period ? undefined : { ...input, ...period, quantity: draft.quantity };
  };
  const had = booking && wantedOf(booking);
  const nowMs = Date.now();
  const calendar = calendarOf(rules, { taken, nowMs, had });
  const isTakenAt = (ms: number) => {
    const out = taken.filter(({ fromMs, toMs }) => fromMs <= ms && ms < toMs);
    return new Set(out.map(({ unit }) => unit)).size >= rules.units;
  };
  return {
    dayOf: (date) => days.get(date),
    isOpen: calendar.isOpen,
    isTakenNow: isTakenAt(nowMs),
    isTakenAllDay(date) {
      const { fromMs, toMs } = calendar.spanOf(date);
      const ends = taken.map((one) => one.toMs).filter((ms) => fromMs < ms && ms < toMs);
      return [fromMs, ...ends].every(isTakenAt);
    },
    shortestDays: rules.circle === 'daily' ? (rules.terms?.shortest ?? 1) : 1,
    problemOf(draft) {
      const wanted = wantedOf(draft);
      return wanted && calendar.problemOf(wanted);
    },
  };
}

const words: Record<WhyNot, string> = {
  booked: 'taken',
  held: 'taken',
  blocked: 'not lent on this day',
  closed: 'closed for pick-up and return',
  'too-soon': 'too soon',
};

export function dayInWords(day: CalendarDay | undefined, units: number): string {
  if (!day) return '';
  if (day.why) {
    const isInPart = (day.why === 'booked' || day.why === 'held') && day.intervals?.length;
    return isInPart ? 'taken in part' : words[day.why];
  }
  return day.free < units ? `${day.free} of ${units} free` : 'free';
}

/** Whether fewer than `quantity` units are free at some time of the day. */
export function isTaken(day: CalendarDay | undefined, quantity: number): boolean {
  return day !== undefined && day.why !== 'too-soon' && (day.why !== null || day.free < quantity);
}
