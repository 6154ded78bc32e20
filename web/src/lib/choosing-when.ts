import type { Tool } from '@lendtools/contracts';
import { laterDay } from '@lendtools/contracts/local-time';
import { longestDays } from '@lendtools/contracts/rental-period';
import type { BookingDraft } from './booking-draft.ts';
import { endTimes, startTimes, suggestTimes } from './booking-rules.ts';
import { timeOptions } from './time-options.ts';
import type { ToolCalendar } from './tool-calendar.ts';

/** Decides which days and times can be chosen next, and adjusts the others after a choice. */

interface Choosing {
  draft: BookingDraft;
  withTimes: boolean;
  calendar: ToolCalendar;
}

const noTimes = { start_time: '', end_time: '' };

/** Whether a rental may start on a day; it must also have a day on which it may end. */
export function canStart(tool: Tool, day: string, choosing: Choosing): boolean {
  const { draft, withTimes, calendar } = choosing;
  const known = calendar.dayOf(day);
  if (!known) return calendar.isOpen(day, '');
  const isTaken = known.why === 'booked' || known.why === 'held';
  if (known.why !== null && !isTaken) return false;
  // A rental can start on a partly taken day, but only with a time.
  const needsTime = known.free < draft.quantity;
  if (needsTime && (!withTimes || startTimes(tool, day, calendar).length === 0)) return false;
  return hasEnd(tool, { ...choosing, draft: { ...draft, start_date: day } });
}

function hasEnd(tool: Tool, choosing: Choosing): boolean {
  const { draft, calendar } = choosing;
  const { shortestDays } = calendar;
  for (let days = shortestDays > 1 ? shortestDays : 0; days <= longestDays; days++) {
    const day = laterDay(draft.start_date, days);
    if (canEnd(tool, day, choosing)) return true;
    // Any longer rental includes the shortest one, so it has the same problem.
    if (days > 0 && isHopeless(shortestUntil(tool, day, choosing), draft)) return false;
  }
  return false;
}

/** The problem, if any, of the shortest rental from the draft's start that ends on a day. */
function shortestUntil(tool: Tool, day: string, { draft, withTimes, calendar }: Choosing) {
  const asked = { ...draft, ...noTimes, end_date: day };
  if (!withTimes) return calendar.problemOf(asked);
  const start_time = startTimes(tool, draft.start_date, calendar).at(-1) ?? '';
  const [end_time = ''] = endTimes(tool, { ...asked, start_time }, calendar);
  return calendar.problemOf({ ...asked, start_time, end_time });
}

/** Whether a rental from the draft's start may end on a day, for at least one choice of times. */
export function canEnd(tool: Tool, day: string, choosing: Choosing): boolean {
  const { draft, withTimes, calendar } = choosing;
  if (!calendar.isOpen(day, '')) return false;
  const asked = { ...draft, ...noTimes, end_date: day };
  if (!withTimes) return !calendar.problemOf(asked);
  // If the shortest rental is taken or too long, or the longest one is too short, no choice of times helps.
  if (day > draft.start_date && isHopeless(shortestUntil(tool, day, choosing), draft)) return false;
  const [start_time = ''] = startTimes(tool, draft.start_date, calendar);
  const end_time = endTimes(tool, asked, calendar).at(-1) ?? '';
  if (calendar.problemOf({ ...asked, start_time, end_time })?.why === 'too-short') return false;
  return !calendar.problemOf(suggestTimes(tool, asked, calendar));
}

const isHopeless = (
  problem: ReturnType<ToolCalendar['problemOf']>,
  { quantity }: BookingDraft,
): boolean => problem !== undefined && (problem.free < quantity || problem.why === 'too-long');

/** Adjusts the times after the days changed; if the adjusted times are not available, suggests new ones. */
export function moveDays(tool: Tool, draft: BookingDraft, calendar: ToolCalendar): BookingDraft {
  const kept = suggestTimes(tool, draft, calendar);
  return calendar.problemOf(kept) ? suggestTimes(tool, { ...draft, ...noTimes }, calendar) : kept;
}

/** Changes the start time and keeps the length: whole days stay whole, and hours stay as many, if the end time exists. */
export function moveStart(tool: Tool, draft: BookingDraft, start_time: string): BookingDraft {
  const { end_time } = draft;
  if (end_time === draft.start_time) return { ...draft, start_time, end_time: start_time };
  const isHours = tool.rental_circle === 'hourly' && draft.start_date === draft.end_date;
  if (!isHours || !end_time || !draft.start_time) return { ...draft, start_time };
  const [from, to, next] = [draft.start_time, end_time, start_time].map((time) =>
    timeOptions.indexOf(time),
  ) as [number, number, number];
  return { ...draft, start_time, end_time: timeOptions[next + to - from] ?? end_time };
}
