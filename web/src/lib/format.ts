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

/** A local date some days later. */
export function laterDay(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

const monthYear = dateFormat({ month: 'long', year: 'numeric' });

/** `November 2026` for an ISO instant. */
export function formatMonth(instant: string): string {
  return monthYear(new Date(instant));
}
