import { dayMs, daysLater, laterDay, localDate, toInstantMs, toLocalMs } from './local-time.ts';

/**
 * When a rental takes place and how many days or hours it is
 * charged. Shared by the server, which decides, and the browser.
 */

export type Circle = 'daily' | 'hourly';

/** The requested period in the tool's time zone: `2026-05-31`, and `7.00 AM`, `07:00` or empty. */
export interface AskedPeriod {
  startDate: string;
  startTime: string;
  endDate: string;
  endTime: string;
}

/** The period as instants, with the number of days or hours charged. */
export interface Period {
  startsAtMs: number;
  endsAtMs: number;
  period: number;
}

/** Why a period is rejected, as a sentence for the user, and the documented field to show it at. */
export interface PeriodProblem {
  problem: string;
  field: 'start_date' | 'start_time' | 'end_date' | 'end_time';
}

interface TimesOfTool {
  circle: Circle;
  timeZone: string;
}

export const hourMs = 3_600_000;
export const longestDays = 90;
/** How many days ahead a rental may begin. */
export const furthestDays = 365;
/** Renters may finish paying for a while after the start. */
const startGraceMs = 15 * 60_000;

/**
 * The documented rule: the time between the two local times. Daily tools are charged by whole days, at least 1;
 * hourly tools by hours, rounded up. A day is a calendar day, so 7 AM to 7 AM is 1 day on 23-hour and 25-hour days
 * too; an hour is an elapsed hour.
 *
 * Daily tools may omit times: then it lasts from the start of one day to the start of the other (10th to 12th: 2
 * days, free again on the 12th), and equal dates mean that whole day. A missing end time equals the start time.
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
  // If the end time is skipped by a clock change, the last day may not be complete.
  const isOver = daysLater(startsAtMs, days, timeZone) > endsAtMs;
  return Math.max(1, isOver ? days - 1 : days);
};

/**
 * When a tool that is not returned becomes overdue: half an hour after the agreed time. Without a time the rental
 * ends at the start of the last day and the tool may come back during that day, so it is overdue from 6 PM.
 */
export const overdueAtMs = ({ endsAtMs, endTime }: { endsAtMs: number; endTime: string }): number =>
  endsAtMs + (endTime ? hourMs / 2 : 18 * hourMs);

/** Limits on booking now: not in the past, at most a year ahead, at most ninety days long. */
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

/** Milliseconds from the start of the day; undefined without a valid time. */
export const readTime = (text: string): number | undefined => {
  const [, hour, minute, half] = /^(\d{1,2})[.:](\d{2}) ?([AP]M)?$/i.exec(text) ?? [];
  if (!hour || !minute) return undefined;
  const afternoon = half?.toUpperCase() === 'PM' ? 12 : 0;
  const hours = half ? (Number(hour) % 12) + afternoon : Number(hour);
  return hours * hourMs + Number(minute) * 60_000;
};

/** Normalizes any accepted notation to the stored, documented form `7.00 AM`; empty without a time. */
export const normalTime = (text: string): string => {
  const time = readTime(text);
  if (time === undefined) return '';
  const [hour, minute] = [Math.floor(time / hourMs), (time % hourMs) / 60_000];
  return `${hour % 12 || 12}.${String(minute).padStart(2, '0')} ${hour < 12 ? 'AM' : 'PM'}`;
};

/** Whether this local time is in the past; false for an empty or incomplete date. */
export const hasPassed = (
  { date, time }: { date: string; time: string },
  timeZone: string,
  nowMs: number,
): boolean => {
  const localMs = Date.parse(date) + (readTime(time) ?? 0);
  return !Number.isNaN(localMs) && toInstantMs(localMs, timeZone) < nowMs;
};
