import type { Tool } from '@lendtools/contracts';
import { laterDay, localDate } from '@lendtools/contracts/local-time';
import { checkPeriod, hasPassed, readPeriod } from '@lendtools/contracts/rental-period';
import type { BookingDraft } from './booking-draft.ts';
import { paymentDue } from './booking-price.ts';
import { timeOptions } from './time-options.ts';
import { makeToolCalendar, type ToolCalendar, toPeriodInput } from './tool-calendar.ts';

export type DraftErrors = Partial<Record<keyof BookingDraft, string>>;

/** Whether the user must choose times: members always, visitors only for a tool rented by the hour. */
export function needsTimes(tool: Tool, isMember: boolean): boolean {
  return isMember || tool.rental_circle === 'hourly';
}

/** Adds suggested times to a member's draft; a visitor's draft has no times. */
export function completeDraft(tool: Tool, draft: BookingDraft, isMember: boolean): BookingDraft {
  return needsTimes(tool, isMember) ? suggestTimes(tool, draft) : draft;
}

/** A calendar from the owner's terms alone, used until the availability has loaded. */
function termsOf(tool: Tool) {
  return makeToolCalendar(tool, []);
}

export function startTimes(tool: Tool, date: string, calendar = termsOf(tool)): readonly string[] {
  if (!date) return timeOptions;
  const now = Date.now();
  const isAhead = date > localDate(tool.timeZone, now);
  return timeOptions.filter(
    (time) =>
      (isAhead || !hasPassed({ date, time }, tool.timeZone, now)) && calendar.isOpen(date, time),
  );
}

/** The times at which a rental may end; on its first day, only those after its start. */
export function endTimes(
  tool: Tool,
  draft: BookingDraft,
  calendar = termsOf(tool),
): readonly string[] {
  const { end_date, start_date, start_time } = draft;
  const begins = timeOptions.indexOf(start_time);
  const isOneDay = end_date !== '' && end_date === start_date;
  const later = isOneDay ? timeOptions.slice(begins + 1) : timeOptions;
  const open = end_date ? later.filter((time) => calendar.isOpen(end_date, time)) : later;
  return open.length > 0 ? open : timeOptions.slice(-1);
}

/** The first day for a start: today in the tool's time zone, or tomorrow if no start time is left today. */
export function firstDay(tool: Tool): string {
  const today = localDate(tool.timeZone, Date.now());
  return startTimes(tool, today).length > 0 ? today : laterDay(today, 1);
}

const usualStart = '9.00 AM';
const usualEvening = '7.00 PM';
/** The usual length of an hourly rental: two hours, in steps of half an hour. */
const usualSteps = 4;

/** Fills in the usual times, or the first that work. Keeps an allowed start, even if no end works for it. */
export function suggestTimes(
  tool: Tool,
  draft: BookingDraft,
  calendar = termsOf(tool),
): BookingDraft {
  if (!draft.start_date || !draft.end_date) return draft;
  const starts = startTimes(tool, draft.start_date, calendar);
  const [soonest = ''] = starts;
  const usual = starts.includes(usualStart) ? usualStart : soonest;
  const start_time = starts.includes(draft.start_time) ? draft.start_time : usual;
  const ends = endTimes(tool, { ...draft, start_time }, calendar);
  const end_time = ends.includes(draft.end_time)
    ? draft.end_time
    : usualEnd(tool, { ...draft, start_time }, ends);
  const usualDraft = { ...draft, start_time, end_time };
  if (!calendar.problemOf(usualDraft)) return usualDraft;
  const tried = start_time === draft.start_time ? [start_time] : starts;
  return findTimes(tool, usualDraft, { starts: tried, calendar }) ?? usualDraft;
}

/** The first start time for which a usual end time is possible, with that end time. */
function findTimes(
  tool: Tool,
  draft: BookingDraft,
  { starts, calendar }: { starts: readonly string[]; calendar: ToolCalendar },
): BookingDraft | undefined {
  const isOneDay = draft.start_date === draft.end_date;
  const anyEnds = endTimes(tool, draft, calendar);
  for (const start_time of starts) {
    const likely = isOneDay
      ? endTimes(tool, { ...draft, start_time }, calendar)
      : [anyEnds[0] ?? '', start_time, anyEnds.at(-1) ?? ''];
    for (const end_time of likely) {
      const found = { ...draft, start_time, end_time };
      if ('period' in periodOf(tool, found) && !calendar.problemOf(found)) return found;
    }
  }
  return undefined;
}

/** The usual end: on a later day the start time; on the same day 7 PM or, for an hourly tool, two hours later. */
function usualEnd(tool: Tool, draft: BookingDraft, ends: readonly string[]): string {
  if (draft.end_date !== draft.start_date)
    return ends.includes(draft.start_time) ? draft.start_time : (ends[0] ?? '');
  const usual = tool.rental_circle === 'hourly' ? ends[usualSteps - 1] : usualEvening;
  return usual && ends.includes(usual) ? usual : (ends.at(-1) ?? '');
}

function periodOf({ rental_circle: circle, timeZone }: Tool, draft: BookingDraft) {
  return readPeriod(toPeriodInput(draft), { circle, timeZone });
}

export function checkDraft(
  tool: Tool,
  draft: BookingDraft,
  withTimes: boolean,
  calendar = termsOf(tool),
): DraftErrors {
  const errors: DraftErrors = {};
  if (!draft.start_date) errors.start_date = 'Please select your start date';
  if (!draft.end_date) errors.end_date = 'Please select your returning date';
  if (withTimes && !draft.start_time) errors.start_time = 'Please select your start time';
  if (withTimes && !draft.end_time) errors.end_time = 'Please select your returning time';
  if (draft.start_date && draft.start_date < localDate(tool.timeZone, Date.now())) {
    errors.start_date = 'The start date has already passed.';
  } else if (
    draft.start_time &&
    hasPassed({ date: draft.start_date, time: draft.start_time }, tool.timeZone, Date.now())
  ) {
    errors.start_time = 'The start time has already passed.';
  }
  if (Object.keys(errors).length > 0) return errors;
  const period = periodOf(tool, draft);
  const when = { timeZone: tool.timeZone, nowMs: Date.now() };
  const found =
    'problem' in period
      ? period
      : (checkPeriod(toPeriodInput(draft), period, when) ?? calendar.problemOf(draft));
  return found ? { [found.field]: found.problem } : {};
}

export interface Quote {
  period: number;
  total: number;
  /** The length discount, in dollars; 0 if there is none. */
  discount: number;
  percent: number;
}

export function quoteDraft(tool: Tool, draft: BookingDraft): Quote | null {
  const found = periodOf(tool, draft);
  if ('problem' in found) return null;
  const { period } = found;
  const { quantity } = draft;
  return { period, ...paymentDue({ ...tool, ...tool.terms, period, quantity }) };
}
