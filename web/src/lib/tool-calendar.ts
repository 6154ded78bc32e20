import type { Availability, Tool } from '@lendtools/contracts';
import { calendarOf, type TermsProblem, type WhyNot } from '@lendtools/contracts/availability';
import { type AskedPeriod, readPeriod } from '@lendtools/contracts/rental-period';
import type { BookingDraft } from './booking-draft.ts';

type CalendarDay = Availability['days'][number];

export interface ToolCalendar {
  /** What is known of a day; nothing before the server has told. */
  dayOf: (date: string) => CalendarDay | undefined;
  /** Whether the owner is there at this time of that day. */
  isOpen: (date: string, time: string) => boolean;
  /** How many days later the shortest rental ends that is not over on its first day. */
  shortestDays: number;
  /** Why a draft with both dates can't be rented, by the very rules of the server. */
  problemOf: (draft: BookingDraft) => TermsProblem | undefined;
}

export const askedOf = ({
  start_date,
  start_time,
  end_date,
  end_time,
}: BookingDraft): AskedPeriod => ({
  startDate: start_date,
  startTime: start_time,
  endDate: end_date,
  endTime: end_time,
});

/** The calendar of a tool's terms and of what the server has told of it, for whoever wants to change a booking that they have. */
export function makeToolCalendar(
  tool: Tool,
  pages: Availability[],
  booking?: BookingDraft,
): ToolCalendar {
  const [told] = pages;
  const rules = {
    circle: told?.rental_circle ?? tool.rental_circle,
    timeZone: tool.timeZone,
    units: told?.quantity ?? tool.quantity,
    terms: (told ? told.terms : tool.terms) ?? null,
  };
  const taken = pages.flatMap((page) =>
    page.taken.map(({ unit, why, from, to }) => ({
      ...{ unit, why, fromMs: Date.parse(from), toMs: Date.parse(to) },
    })),
  );
  const days = new Map(pages.flatMap((page) => page.days.map((day) => [day.date, day])));
  const wantedOf = (draft: BookingDraft) => {
    const asked = askedOf(draft);
    const period = readPeriod(asked, rules);
    return 'problem' in period ? undefined : { ...asked, ...period, quantity: draft.quantity };
  };
  const had = booking && wantedOf(booking);
  const calendar = calendarOf(rules, { taken, nowMs: Date.now(), had });
  return {
    dayOf: (date) => days.get(date),
    isOpen: calendar.isOpen,
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

/** How a day stands, in words for a screen reader; empty while it is not known. */
export function dayInWords(day: CalendarDay | undefined, units: number): string {
  if (!day) return '';
  if (day.why) {
    const isInPart = (day.why === 'booked' || day.why === 'held') && day.intervals?.length;
    return isInPart ? 'taken in part' : words[day.why];
  }
  return day.free < units ? `${day.free} of ${units} free` : 'free';
}

/** Whether so many can't be had on some part of a day, for whatever reason of the owner's or another renter's. */
export const isTaken = (day: CalendarDay | undefined, quantity: number): boolean =>
  day !== undefined && day.why !== 'too-soon' && (day.why !== null || day.free < quantity);
