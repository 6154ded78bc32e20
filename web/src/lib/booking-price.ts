import type { Tool } from '@lendtools/contracts';
import { formatMoney } from './format.ts';

export type RentalCircle = Tool['rental_circle'];

export interface BookingTimes {
  start_date: string;
  start_time: string;
  end_date: string;
  end_time: string;
}

const hourMs = 3_600_000;

/** `7.30 PM` as `19:30`; an empty time is the start of the day, as the server has it. */
function toClock(time: string): string {
  const match = /^(\d{1,2})[.:](\d{2}) ?([AP])M$/i.exec(time);
  if (!match) return '00:00';
  const [, hour, minute, half] = match;
  const hours = (Number(hour) % 12) + (half?.toUpperCase() === 'P' ? 12 : 0);
  return `${String(hours).padStart(2, '0')}:${minute}`;
}

/** Milliseconds as if the place were in UTC: good for order and for whole days. */
function toLocalMs(date: string, time: string): number {
  return Date.parse(`${date}T${toClock(time)}:00Z`);
}

/** How far the place's clock is ahead of UTC at an instant; negative in America. */
function offsetMs(instant: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  }).formatToParts(instant);
  const get = (type: string) => parts.find((part) => part.type === type)?.value;
  const local = `${get('year')}-${get('month')}-${get('day')}T${get('hour')}:${get('minute')}:00Z`;
  return Date.parse(local) - instant;
}

/** A local time as an instant: the second look settles days on which the clocks change. */
function toInstant(date: string, time: string, timeZone: string): number {
  const local = toLocalMs(date, time);
  const guess = local - offsetMs(local, timeZone);
  return local - offsetMs(guess, timeZone);
}

/** Whether a place's clock has already shown this time. */
export function hasPassed(
  { date, time }: { date: string; time: string },
  timeZone: string,
  now: number = Date.now(),
): boolean {
  return toInstant(date, time, timeZone) < now;
}

/** What day it is at a place: `2026-11-27`. */
export function localDate(timeZone: string, now: number = Date.now()): string {
  return new Date(now + offsetMs(now, timeZone)).toISOString().slice(0, 10);
}

/** A missing returning time is the start time: the tool comes back at the hour it was fetched. */
function readLocalMs({ start_date, start_time, end_date, end_time }: BookingTimes) {
  const start = toLocalMs(start_date, start_time);
  return { start, end: toLocalMs(end_date, end_time || start_time) };
}

/** Whether the return comes after the start; for a daily tool the same day is that whole day. */
export function endsAfterStart(circle: RentalCircle, times: BookingTimes): boolean {
  const { start, end } = readLocalMs(times);
  return end > start || (circle === 'daily' && end === start);
}

/**
 * What the price is multiplied by: whole days for a daily tool, at least one;
 * hours for an hourly one, a started hour counting whole. The server works it out again and decides.
 */
export function countPeriod(circle: RentalCircle, times: BookingTimes, timeZone: string): number {
  if (circle === 'daily') {
    const { start, end } = readLocalMs(times);
    return Math.max(1, Math.floor((end - start) / hourMs / 24));
  }
  const ms =
    toInstant(times.end_date, times.end_time, timeZone) -
    toInstant(times.start_date, times.start_time, timeZone);
  return Math.max(1, Math.ceil(ms / hourMs));
}

/** Price x period x quantity, in dollars; counted in cents so that it never ends in …0000004. */
export function paymentDue(price: number, period: number, quantity: number): number {
  return (Math.round(price * 100) * period * quantity) / 100;
}

/** The word for a period: "Hours" if hourly, otherwise "Days". */
export function periodLabel(circle: RentalCircle): 'Hours' | 'Days' {
  return circle === 'hourly' ? 'Hours' : 'Days';
}

/** `3 days`, `1 hour`. */
export function countedPeriod(circle: RentalCircle, period: number): string {
  const word = circle === 'hourly' ? 'hour' : 'day';
  return `${period} ${word}${period === 1 ? '' : 's'}`;
}

/** What a sum is made of: `$12.00 × 3 days × 2`; a single unit is not worth a word. */
export function countedPrice(
  circle: RentalCircle,
  { price, period, quantity }: { price: number; period: number; quantity: number },
): string {
  const units = quantity > 1 ? ` × ${quantity}` : '';
  return `${formatMoney(price)} × ${countedPeriod(circle, period)}${units}`;
}
