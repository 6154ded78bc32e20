import type { Tool } from '@lendtools/contracts';
import { laterDay } from '@lendtools/contracts/local-time';
import { longestDays } from '@lendtools/contracts/rental-period';
import type { BookingDraft } from './booking-draft.ts';
import { endTimes, startTimes, suggestTimes } from './booking-rules.ts';
import { timeOptions } from './time-options.ts';
import type { ToolCalendar } from './tool-calendar.ts';

export interface Selection {
  draft: BookingDraft;
  withTimes: boolean;
  calendar: ToolCalendar;
}

const noTimes = { start_time: '', end_time: '' };

/** Whether a rental may start on a day and has at least one possible end. */
export function canStart(tool: Tool, day: string, selection: Selection): boolean {
  const { draft, withTimes, calendar } = selection;
  const calendarDay = calendar.dayOf(day);
  if (!calendarDay) return calendar.isOpen(day, '');
  const isTaken = calendarDay.why === 'booked' || calendarDay.why === 'held';
  if (calendarDay.why !== null && !isTaken) return false;
  // A rental can start on a partly taken day only if the user chooses a time.
  const needsTime = calendarDay.free < draft.quantity;
  // Check the whole day first: to try all times of a taken day takes 70 ms.
  if (needsTime && (!withTimes || calendar.isTakenAllDay(day))) return false;
  if (needsTime && startTimes(tool, day, calendar).length === 0) return false;
  return hasEnd(tool, { ...selection, draft: { ...draft, start_date: day } });
}

function hasEnd(tool: Tool, selection: Selection): boolean {
  const { draft, calendar } = selection;
  const { shortestDays } = calendar;
  for (let days = shortestDays > 1 ? shortestDays : 0; days <= longestDays; days++) {
    const day = laterDay(draft.start_date, days);
    if (canEnd(tool, day, selection)) return true;
    // If the shortest rental from this day fails, so does any longer one, because it includes the same days.
    if (days > 0 && isHopeless(shortestUntil(tool, day, selection), draft)) return false;
  }
  return false;
}

function shortestUntil(tool: Tool, day: string, { draft, withTimes, calendar }: Selection) {
  const withEnd = { ...draft, ...noTimes, end_date: day };
  if (!withTimes) return calendar.problemOf(withEnd);
  const start_time = startTimes(tool, draft.start_date, calendar).at(-1) ?? '';
  const [end_time = ''] = endTimes(tool, { ...withEnd, start_time }, calendar);
  return calendar.problemOf({ ...withEnd, start_time, end_time });
}

/** Whether a rental from the draft's start may end on a day, for at least one choice of times. */
export function canEnd(tool: Tool, day: string, selection: Selection): boolean {
  const { draft, withTimes, calendar } = selection;
  if (!calendar.isOpen(day, '')) return false;
  const withEnd = { ...draft, ...noTimes, end_date: day };
  if (!withTimes) return !calendar.problemOf(withEnd);
  // If even the shortest rental up to this day is taken or too long, or the longest is too short, no times help.
  if (day > draft.start_date && isHopeless(shortestUntil(tool, day, selection), draft))
    return false;
  const [start_time = ''] = startTimes(tool, draft.start_date, calendar);
  const end_time = endTimes(tool, withEnd, calendar).at(-1) ?? '';
  if (calendar.problemOf({ ...withEnd, start_time, end_time })?.why === 'too-short') return false;
  return !calendar.problemOf(suggestTimes(tool, withEnd, calendar));
}

function isHopeless(
  problem: ReturnType<ToolCalendar['problemOf']>,
  { quantity }: BookingDraft,
): boolean {
  return problem !== undefined && (problem.free < quantity || problem.why === 'too-long');
}

/** Adjusts the times after the days changed; if the adjusted times are not available, suggests new ones. */
export function moveDays(tool: Tool, draft: BookingDraft, calendar: ToolCalendar): BookingDraft {
  const kept = suggestTimes(tool, draft, calendar);
  return calendar.problemOf(kept) ? suggestTimes(tool, { ...draft, ...noTimes }, calendar) : kept;
}

/** Changes the start time and keeps the rental's length, if the resulting end time exists. */
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
