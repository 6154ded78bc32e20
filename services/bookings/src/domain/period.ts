import { Temporal } from 'temporal-polyfill';
import { periodInvalid } from '../errors.ts';

export type Circle = 'daily' | 'hourly';

/** What was asked, local to the tool: `2026-05-31`, and `7.00 AM`, `07:00` or nothing. */
export interface AskedPeriod {
  startDate: string;
  startTime: string;
  endDate: string;
  endTime: string;
}

/** The same as instants, with the number of days or hours that are paid. */
export interface RentalPeriod extends AskedPeriod {
  startsAt: Date;
  endsAt: Date;
  period: number;
}

const longestDays = 90;
const furthestDays = 365;
/** Whoever still pays when the start comes is not sent back to choose again. */
const startGraceMinutes = 15;

/**
 * The documented rule: the hours between the two local times. Daily tools are paid by whole days, at least 1;
 * hourly tools by hours, where one begun counts as one. A day is a day of the calendar, so that from 7 AM to 7 AM is
 * 1 on the 23-hour and the 25-hour day too; an hour is an hour of the clock that never jumps.
 *
 * Daily tools may leave out times: then from the start of one day to the start of the other (10th to 12th: 2 days,
 * the tool is free again on the 12th); the same day is that whole day. A missing end time is the start time.
 * @throws AppError PERIOD_INVALID with a sentence for the person; its path is under `path`
 */
export const rentalPeriod = (
  asked: AskedPeriod,
  rule: { circle: Circle; timeZone: string; now: Date; path: string },
): RentalPeriod => {
  const refuse = (message: string, field: string) =>
    periodInvalid(message, rule.path ? `${rule.path}.${field}` : field);
  const startTime = readTime(asked.startTime);
  const endTime = readTime(asked.endTime);
  if (rule.circle === 'hourly' && !startTime)
    throw refuse('Please select your start time', 'start_time');
  if (rule.circle === 'hourly' && !endTime)
    throw refuse('Please select your returning time', 'end_time');

  const start = localTime(asked.startDate, startTime, rule.timeZone);
  let end = localTime(asked.endDate, endTime ?? startTime, rule.timeZone);
  if (rule.circle === 'daily' && Temporal.ZonedDateTime.compare(start, end) === 0)
    end = start.add({ days: 1 });
  if (Temporal.ZonedDateTime.compare(end, start) <= 0) {
    throw asked.endDate < asked.startDate
      ? refuse('The returning date must not be before the start date.', 'end_date')
      : refuse('The returning time must be after the start time.', 'end_time');
  }

  const now = Temporal.Instant.fromEpochMilliseconds(rule.now.getTime());
  const today = now.toZonedDateTimeISO(rule.timeZone).toPlainDate();
  const startDate = start.toPlainDate();
  if (Temporal.PlainDate.compare(startDate, today) < 0)
    throw refuse('The start date has already passed.', 'start_date');
  if (Temporal.Instant.compare(end.toInstant(), now) <= 0)
    throw refuse('The returning time has already passed.', 'end_time');
  const latest = start.toInstant().add({ minutes: startGraceMinutes });
  if (startTime && Temporal.Instant.compare(latest, now) < 0)
    throw refuse('The start time has already passed.', 'start_time');
  if (Temporal.PlainDate.compare(startDate, today.add({ days: furthestDays })) > 0)
    throw refuse('You can book at most a year ahead.', 'start_date');
  if (Temporal.ZonedDateTime.compare(end, start.add({ days: longestDays })) > 0)
    throw refuse(`You can rent a tool for at most ${longestDays} days.`, 'end_date');

  return {
    startDate: asked.startDate,
    startTime: normalTime(asked.startTime),
    endDate: asked.endDate,
    endTime: normalTime(asked.endTime),
    startsAt: new Date(start.epochMilliseconds),
    endsAt: new Date(end.epochMilliseconds),
    period: rule.circle === 'daily' ? wholeDays(start, end) : begunHours(start, end),
  };
};

const wholeDays = (start: Temporal.ZonedDateTime, end: Temporal.ZonedDateTime): number =>
  Math.max(1, start.until(end, { largestUnit: 'days' }).days);

const begunHours = (start: Temporal.ZonedDateTime, end: Temporal.ZonedDateTime): number =>
  Math.ceil((end.epochMilliseconds - start.epochMilliseconds) / 3_600_000);

/** Without a time, the first moment of the day. A time that the clocks jump over is read as the one an hour later. */
const localTime = (
  date: string,
  plainTime: Temporal.PlainTime | undefined,
  timeZone: string,
): Temporal.ZonedDateTime =>
  Temporal.PlainDate.from(date).toZonedDateTime({ timeZone, ...(plainTime ? { plainTime } : {}) });

const readTime = (text: string): Temporal.PlainTime | undefined => {
  const [, hour, minute, half] = /^(\d{1,2})[.:](\d{2}) ?([AP]M)?$/i.exec(text) ?? [];
  if (!hour || !minute) return undefined;
  const afternoon = half?.toUpperCase() === 'PM' ? 12 : 0;
  return new Temporal.PlainTime(
    half ? (Number(hour) % 12) + afternoon : Number(hour),
    Number(minute),
  );
};

/** A time as it is stored, whichever way it was written; empty where there is none. */
export const normalTime = (text: string): string => {
  const time = readTime(text);
  return time ? writeTime(time) : '';
};

/** The documented form: `7.00 AM`. */
const writeTime = ({ hour, minute }: Temporal.PlainTime): string =>
  `${hour % 12 || 12}.${String(minute).padStart(2, '0')} ${hour < 12 ? 'AM' : 'PM'}`;
