import type { Tool } from '@lendtools/contracts';
import { laterDay, localDate } from '@lendtools/contracts/local-time';
import { emptyDraft } from './booking-draft.ts';
import { firstDay } from './booking-rules.ts';
import { canStart } from './choosing-when.ts';
import { formatDay } from './format.ts';
import type { ToolCalendar } from './tool-calendar.ts';

/** The first day on which a rental of one unit can start; undefined if the loaded calendar has none. */
function firstFreeDay(tool: Tool, calendar: ToolCalendar, withTimes: boolean): string | undefined {
  const selection = { draft: emptyDraft, withTimes, calendar };
  for (let day = firstDay(tool); calendar.dayOf(day); day = laterDay(day, 1))
    if (canStart(tool, day, selection)) return day;
  return undefined;
}

/**
 * Says when a tool is free next: `Free from Mon, Nov 30`. Empty until the calendar has loaded, and for a tool that is not
 * taken now and free by tomorrow.
 */
export function nextFreeInWords(tool: Tool, calendar: ToolCalendar, withTimes: boolean): string {
  const { isTakenNow } = calendar;
  const today = localDate(tool.timeZone, Date.now());
  if (!calendar.dayOf(today)) return '';
  const day = firstFreeDay(tool, calendar, withTimes);
  if (!day) return 'Not free in the next three months';
  if (day === today) return isTakenNow ? 'Free again later today' : '';
  return isTakenNow || day > laterDay(today, 1) ? `Free from ${formatDay(day)}` : '';
}
