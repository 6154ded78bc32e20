import { timeInWords } from '@lendtools/contracts/rental-period';
import { dateFormat, numberFormat } from '../lib/lazy-format.ts';

const dollars = numberFormat({ style: 'currency', currency: 'USD' });
const roundDollars = numberFormat({
  style: 'currency',
  currency: 'USD',
  maximumFractionDigits: 0,
});

/** Formats dollars as `$1,234.50`; `short` omits `.00`. */
export function formatMoney(amount: number, short = false): string {
  return (short && Number.isInteger(amount) ? roundDollars : dollars)(amount);
}

/** Formats 123450 cents as `$1,234.50`. */
export function formatCents(cents: number): string {
  return formatMoney(cents / 100);
}

/** `1 review`, `2 reviews`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

const day = dateFormat({
  weekday: 'short',
  month: 'short',
  day: 'numeric',
  timeZone: 'UTC',
});

/** Formats a local date in UTC, which has no offset that could shift the day; returns an invalid date unchanged. */
function writeDay(date: string, format: typeof day): string {
  const instant = Date.parse(`${date}T00:00:00Z`);
  return Number.isNaN(instant) ? date : format(instant);
}

/** Formats `2026-11-27` as `Fri, Nov 27`. */
export function formatDay(date: string): string {
  return writeDay(date, day);
}

/** Formats dates as `Fri, Nov 27 – Sun, Nov 29`, or as one day if both are the same; empty without dates. */
export function datesInWords({
  start_date,
  end_date,
}: {
  start_date: string;
  end_date: string;
}): string {
  if (!start_date) return '';
  const start = formatDay(start_date);
  return end_date === start_date ? start : `${start} – ${formatDay(end_date)}`;
}

const dayOfYear = dateFormat({
  weekday: 'short',
  month: 'short',
  day: 'numeric',
  year: 'numeric',
  timeZone: 'UTC',
});

/** Formats a day as `Fri, Nov 27, 2026`, for lists that span several years. */
export function formatDayAndYear(date: string): string {
  return writeDay(date, dayOfYear);
}

/** Formats as `Fri, Nov 27, 2026, 9:00 AM`, with a non-breaking space within the time. The time may be empty. */
export function formatDayAndTime(date: string, time: string): string {
  return `${formatDayAndYear(date)}${time ? `, ${timeInWords(time).replace(' ', '\u00a0')}` : ''}`;
}

const longDay = dateFormat({ dateStyle: 'full', timeZone: 'UTC' });

/** Formats a day as `Friday, November 27, 2026`, for screen readers. */
export function formatLongDay(date: string): string {
  return longDay(Date.parse(`${date}T00:00:00Z`));
}

/** The reader's local day, `2026-11-27`. Built from its parts because no locale guarantees this format. */
export function localDay(now: Date = new Date()): string {
  const parts = [now.getFullYear(), now.getMonth() + 1, now.getDate()];
  return parts.map((part) => String(part).padStart(2, '0')).join('-');
}

const monthYear = dateFormat({ month: 'long', year: 'numeric' });

/** Formats an ISO instant as `November 2026`. */
export function formatMonth(instant: string): string {
  return monthYear(new Date(instant));
}
