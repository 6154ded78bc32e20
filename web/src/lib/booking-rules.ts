import type { Tool } from '@lendtools/contracts';
import { localDate } from '@lendtools/contracts/local-time';
import { checkPeriod, hasPassed, readPeriod } from '@lendtools/contracts/rental-period';
import type { BookingDraft } from './booking-draft.ts';
import { paymentDue } from './booking-price.ts';
import { laterDay } from './format.ts';
import { timeOptions } from './time-options.ts';

export type DraftErrors = Partial<Record<keyof BookingDraft, string>>;

/**
 * Members choose times; for visitors the form has dates alone, unless the tool is rented by the
 * hour, where dates alone would mean nothing.
 */
export function asksForTimes(tool: Tool, isMember: boolean): boolean {
  return isMember || tool.rental_circle === 'hourly';
}

/** A draft read from an address, with the times that a member chooses and a visitor did not. */
export function completeDraft(tool: Tool, draft: BookingDraft, isMember: boolean): BookingDraft {
  return asksForTimes(tool, isMember) ? suggestTimes(tool, draft) : draft;
}

/** The times at which a rental may still begin on a day. */
export function startTimes({ timeZone }: Tool, date: string): readonly string[] {
  return timeOptions.filter((time) => !date || !hasPassed({ date, time }, timeZone, Date.now()));
}

/** The times at which it may come back: on the day on which it begins, the later ones. */
export function endTimes(draft: BookingDraft): readonly string[] {
  const begins = timeOptions.indexOf(draft.start_time);
  const isOneDay = draft.end_date !== '' && draft.end_date === draft.start_date;
  const later = isOneDay ? timeOptions.slice(begins + 1) : timeOptions;
  return later.length > 0 ? later : timeOptions.slice(-1);
}

/** The first day on which it may begin: the tool's own today, until the last time of the day has passed. */
export function firstDay(tool: Tool): string {
  const today = localDate(tool.timeZone, Date.now());
  return startTimes(tool, today).length > 0 ? today : laterDay(today, 1);
}

const usualStart = '9.00 AM';
const usualEvening = '7.00 PM';
/** Two hours, in steps of half an hour. */
const usualSteps = 4;

/** Fills in the times that most people choose, and any other that the chosen days no longer allow. */
export function suggestTimes(tool: Tool, draft: BookingDraft): BookingDraft {
  if (!draft.start_date || !draft.end_date) return draft;
  const starts = startTimes(tool, draft.start_date);
  const [soonest = ''] = starts;
  const usual = starts.includes(usualStart) ? usualStart : soonest;
  const start_time = starts.includes(draft.start_time) ? draft.start_time : usual;
  const ends = endTimes({ ...draft, start_time });
  const end_time = ends.includes(draft.end_time)
    ? draft.end_time
    : usualEnd(tool, { ...draft, start_time }, ends);
  return { ...draft, start_time, end_time };
}

/** Whole days for a daily tool; on a single day until the evening, or for two hours. */
function usualEnd(tool: Tool, draft: BookingDraft, ends: readonly string[]): string {
  if (draft.end_date !== draft.start_date) return draft.start_time;
  const usual = tool.rental_circle === 'hourly' ? ends[usualSteps - 1] : usualEvening;
  return usual && ends.includes(usual) ? usual : (ends.at(-1) ?? '');
}

const askedOf = ({ start_date, start_time, end_date, end_time }: BookingDraft) => ({
  startDate: start_date,
  startTime: start_time,
  endDate: end_date,
  endTime: end_time,
});

const periodOf = ({ rental_circle: circle, timeZone }: Tool, draft: BookingDraft) =>
  readPeriod(askedOf(draft), { circle, timeZone });

/** What still stands in the way of proceeding, by field. */
export function checkDraft(tool: Tool, draft: BookingDraft, withTimes: boolean): DraftErrors {
  const errors: DraftErrors = {};
  if (!draft.start_date) errors.start_date = 'Please select your start date';
  if (!draft.end_date) errors.end_date = 'Please select your returning date';
  if (withTimes && !draft.start_time) errors.start_time = 'Please select your start time';
  if (withTimes && !draft.end_time) errors.end_time = 'Please select your returning time';
  if (draft.start_date && draft.start_date < localDate(tool.timeZone, Date.now())) {
    errors.start_date = 'The start date has already passed.';
  } else if (draft.start_time && !startTimes(tool, draft.start_date).includes(draft.start_time)) {
    errors.start_time = 'The start time has already passed.';
  }
  if (Object.keys(errors).length > 0) return errors;
  const period = periodOf(tool, draft);
  const when = { timeZone: tool.timeZone, nowMs: Date.now() };
  const found = 'problem' in period ? period : checkPeriod(askedOf(draft), period, when);
  return found ? { [found.field]: found.problem } : {};
}

export interface Quote {
  period: number;
  total: number;
  /** What the length of the rental takes off, in dollars and in percent; 0 where there is nothing. */
  discount: number;
  percent: number;
}

/** The price of a draft as far as it is chosen; null while the dates don't make sense yet. */
export function quoteDraft(tool: Tool, draft: BookingDraft): Quote | null {
  const found = periodOf(tool, draft);
  if ('problem' in found) return null;
  const { period } = found;
  const { quantity } = draft;
  return { period, ...paymentDue({ ...tool, ...tool.terms, period, quantity }) };
}
