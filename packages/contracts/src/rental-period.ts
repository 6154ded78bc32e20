import { dayMs, daysLater, laterDay, localDate, toInstantMs, toLocalMs } from './local-time.ts';

/**
 * Decides when a rental takes place, and how many days or hours are charged. The server applies these rules, and the
 * browser shows their result.
 */

export type Circle = 'daily' | 'hourly';

/** The requested dates and times in the tool's time zone: `2026-05-31`, and `7.00 AM`, `07:00` or empty. */
export interface RequestedPeriod {
  startDate: string;
  startTime: string;
  endDate: string;
  endTime: string;
}

/** A rental's start and end as instants, and the number of days or hours charged. */
export interface Period {
  startsAtMs: number;
  endsAtMs: number;
  period: number;
}

/** Why a period is rejected, as a sentence for the user, and the documented field that the sentence belongs to. */
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
export const furthestDays = 365;
/** How long after the start a renter may still finish paying. */
const startGraceMs = 15 * 60_000;

/**
 * Charges daily tools for whole days, at least one, and hourly tools for hours, rounded up. From 7 AM to 7 AM is one
 * day even if a clock change makes it 23 or 25 hours long. Hourly tools are charged for the hours that really pass.
 * Without times, a daily rental lasts from midnight of the first day to midnight of the last: from the 10th to the 12th
 * is 2 days. If both dates are the same, it lasts that whole day. A missing end time equals the start time.
 */
export const readPeriod = (
  requested: RequestedPeriod,
  { circle, timeZone }: TimesOfTool,
): Period | PeriodProblem => {
  const startTime = readTime(requested.startTime);
  const endTime = readTime(requested.endTime);
  if (circle === 'hourly' && startTime === undefined)
    return { problem: 'Please select your start time', field: 'start_time' };
  if (circle === 'hourly' && endTime === undefined)
    return { problem: 'Please select your returning time', field: 'end_time' };

  const startLocalMs = Date.parse(requested.startDate) + (startTime ?? 0);
  const endLocalMs = Date.parse(requested.endDate) + (endTime ?? startTime ?? 0);
  if (Number.isNaN(startLocalMs))
    return { problem: 'Please select your start date', field: 'start_date' };
  if (Number.isNaN(endLocalMs))
    return { problem: 'Please select your returning date', field: 'end_date' };
  const startsAtMs = toInstantMs(startLocalMs, timeZone);
  let endsAtMs = toInstantMs(endLocalMs, timeZone);
  if (circle === 'daily' && endsAtMs === startsAtMs) endsAtMs = daysLater(startsAtMs, 1, timeZone);
  if (endsAtMs <= startsAtMs) {
    return requested.endDate < requested.startDate
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
  // If a clock change skips the end time, the last day may not be complete.
  const isOver = daysLater(startsAtMs, days, timeZone) > endsAtMs;
  return Math.max(1, isOver ? days - 1 : days);
};

/**
 * A tool becomes overdue half an hour after the agreed time of return. If no time was agreed, it may come back during
 * the last day, and is overdue from 6 PM.
 */
export const overdueAtMs = ({ endsAtMs, endTime }: { endsAtMs: number; endTime: string }): number =>
  endsAtMs + (endTime ? hourMs / 2 : 18 * hourMs);

/** A rental must not begin in the past or more than a year ahead, and must not last longer than ninety days. */
export const checkPeriod = (
  requested: RequestedPeriod,
  { startsAtMs, endsAtMs }: Period,
  { timeZone, nowMs }: { timeZone: string; nowMs: number },
): PeriodProblem | undefined => {
  if (requested.startDate < localDate(timeZone, nowMs))
    return { problem: 'The start date has already passed.', field: 'start_date' };
  if (endsAtMs <= nowMs)
    return { problem: 'The returning time has already passed.', field: 'end_time' };
  if (readTime(requested.startTime) !== undefined && startsAtMs + startGraceMs < nowMs)
    return { problem: 'The start time has already passed.', field: 'start_time' };
  if (requested.startDate > laterDay(localDate(timeZone, nowMs), furthestDays))
    return { problem: 'You can book at most a year ahead.', field: 'start_date' };
  if (endsAtMs > daysLater(startsAtMs, longestDays, timeZone))
    return { problem: `You can rent a tool for at most ${longestDays} days.`, field: 'end_date' };
  return undefined;
};

/** Milliseconds since the start of the day; undefined if the text is no valid time. */
export const readTime = (text: string): number | undefined => {
  const [, hour, minute, half] = /^(\d{1,2})[.:](\d{2}) ?([AP]M)?$/i.exec(text) ?? [];
  if (!hour || !minute) return undefined;
  const afternoon = half?.toUpperCase() === 'PM' ? 12 : 0;
  const hours = half ? (Number(hour) % 12) + afternoon : Number(hour);
  return hours * hourMs + Number(minute) * 60_000;
};

/** Returns the stored and documented form `7.00 AM`, or an empty text if there is no valid time. */
export const normalTime = (text: string): string => {
  const time = readTime(text);
  if (time === undefined) return '';
  const [hour, minute] = [Math.floor(time / hourMs), (time % hourMs) / 60_000];
  return `${hour % 12 || 12}.${String(minute).padStart(2, '0')} ${hour < 12 ? 'AM' : 'PM'}`;
};

/** Writes a time for people, as `7:00 AM`; returns an empty text if there is no valid time. */
export const timeInWords = (text: string): string => normalTime(text).replace('.', ':');

/** True if this local time is in the past. False for an empty or incomplete date. */
export const hasPassed = (
  { date, time }: { date: string; time: string },
  timeZone: string,
  nowMs: number,
): boolean => {
  const localMs = Date.parse(date) + (readTime(time) ?? 0);
  return !Number.isNaN(localMs) && toInstantMs(localMs, timeZone) < nowMs;
};
