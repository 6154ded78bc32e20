import { dayMs, daysLater, laterDay, localDate, toInstantMs, toLocalMs } from './local-time.ts';

/** When a rental is and what its price is multiplied by: one rule for the server, which decides, and for the browser. */

export type Circle = 'daily' | 'hourly';

/** What was asked, local to the tool: `2026-05-31`, and `7.00 AM`, `07:00` or nothing. */
export interface AskedPeriod {
  startDate: string;
  startTime: string;
  endDate: string;
  endTime: string;
}

/** The same as instants, with the number of days or hours charged. */
export interface Period {
  startsAtMs: number;
  endsAtMs: number;
  period: number;
}

/** Why not, in a sentence for the person, and for which documented field. */
export interface PeriodProblem {
  problem: string;
  field: 'start_date' | 'start_time' | 'end_date' | 'end_time';
}

interface TimesOfTool {
  circle: Circle;
  timeZone: string;
}

export const hourMs = 3_600_000;
/** Of any rental. */
export const longestDays = 90;
/** How far ahead of today one may begin. */
export const furthestDays = 365;
/** Nobody who is still paying when the start comes has to choose again. */
const startGraceMs = 15 * 60_000;

/**
 * The documented rule: the hours between the two local times. Daily tools are paid by whole days, at least 1;
 * hourly tools by hours, where one begun counts as one. A day is a day of the calendar, so that from 7 AM to 7 AM is
 * 1 on the 23-hour and the 25-hour day too; an hour is an hour of the clock that never jumps.
 *
 * Daily tools may leave out times: then from the start of one day to the start of the other (10th to 12th: 2 days,
 * the tool is free again on the 12th); the same day is that whole day. A missing end time is the start time.
 */
export const readPeriod = (
  asked: AskedPeriod,
  { circle, timeZone }: TimesOfTool,
): Period | PeriodProblem => {
  const startTime = readTime(asked.startTime);
  const endTime = readTime(asked.endTime);
  if (circle === 'hourly' && startTime === undefined)
    return { problem: 'Please select your start time', field: 'start_time' };
  if (circle === 'hourly' && endTime === undefined)
    return { problem: 'Please select your returning time', field: 'end_time' };

  const startLocalMs = Date.parse(asked.startDate) + (startTime ?? 0);
  const endLocalMs = Date.parse(asked.endDate) + (endTime ?? startTime ?? 0);
  if (Number.isNaN(startLocalMs))
    return { problem: 'Please select your start date', field: 'start_date' };
  if (Number.isNaN(endLocalMs))
    return { problem: 'Please select your returning date', field: 'end_date' };
  const startsAtMs = toInstantMs(startLocalMs, timeZone);
  let endsAtMs = toInstantMs(endLocalMs, timeZone);
  if (circle === 'daily' && endsAtMs === startsAtMs) endsAtMs = daysLater(startsAtMs, 1, timeZone);
  if (endsAtMs <= startsAtMs) {
    return asked.endDate < asked.startDate
      ? { problem: 'The returning date must not be before the start date.', field: 'end_date' }
      : { problem: 'The returning time must be after the start time.', field: 'end_time' };
  }
  const period =
    circle === 'daily'
      ? wholeDays(startsAtMs, endsAtMs, timeZone)
      : Math.ceil((endsAtMs - startsAtMs) / hourMs);
  return { startsAtMs, endsAtMs, period };
};

const wholeDays = (startsAtMs: number, endsAtMs: number, timeZone: string): number => {
  const lengthMs = toLocalMs(endsAtMs, timeZone) - toLocalMs(startsAtMs, timeZone);
  const days = Math.floor(lengthMs / dayMs);
  // On a day on which the clocks jump over its time of the day, the last one may not be whole.
  const isOver = daysLater(startsAtMs, days, timeZone) > endsAtMs;
  return Math.max(1, isOver ? days - 1 : days);
};

/**
 * From when on a tool that is not back is overdue. Nobody is late at once; where no time was agreed, its last day begins as
 * the rental ends, and people bring it in the course of that day, until six in the evening.
 */
export const overdueAtMs = ({ endsAtMs, endTime }: { endsAtMs: number; endTime: string }): number =>
  endsAtMs + (endTime ? hourMs / 2 : 18 * hourMs);

/** Whether it may be rented now: not in the past, at most a year ahead, and for at most ninety days. */
export const checkPeriod = (
  asked: AskedPeriod,
  { startsAtMs, endsAtMs }: Period,
  { timeZone, nowMs }: { timeZone: string; nowMs: number },
): PeriodProblem | undefined => {
  if (asked.startDate < localDate(timeZone, nowMs))
    return { problem: 'The start date has already passed.', field: 'start_date' };
  if (endsAtMs <= nowMs)
    return { problem: 'The returning time has already passed.', field: 'end_time' };
  if (readTime(asked.startTime) !== undefined && startsAtMs + startGraceMs < nowMs)
    return { problem: 'The start time has already passed.', field: 'start_time' };
  if (asked.startDate > laterDay(localDate(timeZone, nowMs), furthestDays))
    return { problem: 'You can book at most a year ahead.', field: 'start_date' };
  if (endsAtMs > daysLater(startsAtMs, longestDays, timeZone))
    return { problem: `You can rent a tool for at most ${longestDays} days.`, field: 'end_date' };
  return undefined;
};

/** Milliseconds from the start of the day; undefined where there is no time. */
export const readTime = (text: string): number | undefined => {
  const [, hour, minute, half] = /^(\d{1,2})[.:](\d{2}) ?([AP]M)?$/i.exec(text) ?? [];
  if (!hour || !minute) return undefined;
  const afternoon = half?.toUpperCase() === 'PM' ? 12 : 0;
  const hours = half ? (Number(hour) % 12) + afternoon : Number(hour);
  return hours * hourMs + Number(minute) * 60_000;
};

/** A time as it is stored, the documented `7.00 AM`, whichever way it was written; empty where there is none. */
export const normalTime = (text: string): string => {
  const time = readTime(text);
  if (time === undefined) return '';
  const [hour, minute] = [Math.floor(time / hourMs), (time % hourMs) / 60_000];
  return `${hour % 12 || 12}.${String(minute).padStart(2, '0')} ${hour < 12 ? 'AM' : 'PM'}`;
};

/** Whether a place's clock has already shown this time: not where the date is still empty or half typed. */
export const hasPassed = (
  { date, time }: { date: string; time: string },
  timeZone: string,
  nowMs: number,
): boolean => {
  const localMs = Date.parse(date) + (readTime(time) ?? 0);
  return !Number.isNaN(localMs) && toInstantMs(localMs, timeZone) < nowMs;
};
