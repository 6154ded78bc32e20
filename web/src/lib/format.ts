import { dateFormat, numberFormat } from './lazy-format.ts';

const dollars = numberFormat({ style: 'currency', currency: 'USD' });
const roundDollars = numberFormat({
  style: 'currency',
  currency: 'USD',
  maximumFractionDigits: 0,
});

/** `$1,234.50`; `short` drops the cents where there are none. */
export function formatMoney(amount: number, short = false): string {
  return (short && Number.isInteger(amount) ? roundDollars : dollars)(amount);
}

/** `$1,234.50` of 123450 cents. */
export function formatCents(cents: number): string {
  return formatMoney(cents / 100);
}

const day = dateFormat({
  weekday: 'short',
  month: 'short',
  day: 'numeric',
  timeZone: 'UTC',
});

/** A local date has no zone to be moved by; what is no date stays as it is. */
function writeDay(date: string, format: typeof day): string {
  const instant = Date.parse(`${date}T00:00:00Z`);
  return Number.isNaN(instant) ? date : format(instant);
}

/** `Fri, Nov 27` for `2026-11-27`. */
export function formatDay(date: string): string {
  return writeDay(date, day);
}

/** `Fri, Nov 27 – Sun, Nov 29`, or the one day on which it is taken and goes back; empty without dates. */
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

/** `Fri, Nov 27, 2026`: where bookings of several years stand side by side. */
export function formatDayAndYear(date: string): string {
  return writeDay(date, dayOfYear);
}

/** `Fri, Nov 27, 2026, 9.00 AM`, which may break before the time and not within; the day alone without a time. */
export function formatDayAndTime(date: string, time: string): string {
  return `${formatDayAndYear(date)}${time ? `, ${time.replace(' ', '\u00a0')}` : ''}`;
}

const longDay = dateFormat({ dateStyle: 'full', timeZone: 'UTC' });

/** `Friday, November 27, 2026`, for a screen reader. */
export function formatLongDay(date: string): string {
  return longDay(Date.parse(`${date}T00:00:00Z`));
}

/** The day on the reader's own calendar, `2026-11-27`: by its parts, as no locale's way to write a date is promised. */
export function localDay(now: Date = new Date()): string {
  const parts = [now.getFullYear(), now.getMonth() + 1, now.getDate()];
  return parts.map((part) => String(part).padStart(2, '0')).join('-');
}

const monthYear = dateFormat({ month: 'long', year: 'numeric' });

/** `November 2026` for an ISO instant. */
export function formatMonth(instant: string): string {
  return monthYear(new Date(instant));
}
