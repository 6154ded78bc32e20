import type { Booking, Terms, Tool } from '@lendtools/contracts';
import { laterDay, localDate } from '@lendtools/contracts/local-time';
import { requestedChangeOf } from '@lendtools/contracts/open-approval';
import { readPeriod } from '@lendtools/contracts/rental-period';
import { termsLimits } from '@lendtools/contracts/terms-limits';
import { formatDay } from '../../rental/format.ts';

export type Block = NonNullable<Terms['blocked']>[number];

export function rangeInWords({ from, to }: Block) {
  return from === to ? formatDay(from) : `${formatDay(from)} – ${formatDay(to)}`;
}

/** The days of a month such as `2026-11`, and the weekday of its first day; 0 is Sunday. */
export function daysOfMonth(month: string): { days: string[]; startsOn: number } {
  const first = `${month}-01`;
  const days: string[] = [];
  for (let day = first; day.startsWith(month); day = laterDay(day, 1)) days.push(day);
  return { days, startsOn: new Date(first).getUTCDay() };
}

export function laterMonth(month: string, months: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + months, 1)).toISOString().slice(0, 7);
}

/** The day of `month` with the same number as `day`, or the month's last day if it is shorter. */
export function sameDayOf(month: string, day: string): string {
  const { days } = daysOfMonth(month);
  return days[Number(day.slice(8)) - 1] ?? (days.at(-1) as string);
}

function sundayOf(day: string) {
  return laterDay(day, -new Date(day).getUTCDay());
}

export function isSameWeek(one: string, other: string) {
  return sundayOf(one) === sundayOf(other);
}

function isWithin(day: string, timeZone: string, [startMs, endMs]: [number, number]): boolean {
  return localDate(timeZone, startMs) <= day && day <= localDate(timeZone, endMs);
}

/** Whether a booking occupies part of a day, in the tool's time zone. After an early return the tool is free again. */
function isOn({ startsAt, endsAt, returnedAt, timeZone }: Booking, day: string): boolean {
  const endMs = Math.min(Date.parse(endsAt) - 1, Date.parse(returnedAt ?? endsAt));
  return isWithin(day, timeZone, [Date.parse(startsAt), endMs]);
}

/** Whether a day is part of a change that the owner has not answered; the change occupies its days until the answer. */
function isInRequestedChange(booking: Booking, day: string): boolean {
  const change = requestedChangeOf(booking);
  if (!change) return false;
  const { rental_circle: circle, timeZone } = booking;
  const { start_date, start_time, end_date, end_time } = change;
  const period = readPeriod(
    { startDate: start_date, startTime: start_time, endDate: end_date, endTime: end_time },
    { circle, timeZone },
  );
  if ('problem' in period) return false;
  return isWithin(day, timeZone, [period.startsAtMs, period.endsAtMs - 1]);
}

/**
 * Whether the booking occupies the day only if the owner accepts: a requested booking, or the days of a requested
 * change.
 */
export function isRequestedOn(booking: Booking, day: string): boolean {
  return booking.booking_status === 'Requested' || !isOn(booking, day);
}

export function bookingsOn(bookings: Booking[], { id }: Tool, day: string): Booking[] {
  return bookings.filter(
    (booking) =>
      booking.rental_id === id && (isOn(booking, day) || isInRequestedChange(booking, day)),
  );
}

function covers(day: string) {
  return (block: Block) => block.from <= day && day <= block.to;
}

export function blocksOn({ terms }: Tool, day: string): Block[] {
  return terms?.blocked?.filter(covers(day)) ?? [];
}

/** The blocks to remove (`out`) and to add (`into`). Swapping the two undoes the change. */
export interface BlockChange {
  out: Block[];
  into: Block[];
}

export function reverseChange({ out, into }: BlockChange): BlockChange {
  return { out: into, into: out };
}

/** Blocks a range: merges it with the existing blocks that it overlaps, and keeps their notes. */
export function blockRange(blocked: Block[], { from, to }: Block): BlockChange {
  const out = blocked.filter((block) => block.from <= to && from <= block.to);
  const notes = [...new Set(out.map(({ note }) => note).filter(Boolean))];
  const [first = from] = [from, ...out.map((block) => block.from)].sort();
  const last = [to, ...out.map((block) => block.to)].sort().at(-1) ?? to;
  const note = notes.join(', ').slice(0, termsLimits.note);
  return { out, into: [{ from: first, to: last, ...(note && { note }) }] };
}

export function freeDay(blocked: Block[], day: string): BlockChange {
  return {
    out: blocked.filter(covers(day)),
    into: [],
  };
}

function isSame(one: Block) {
  return (other: Block) => one.from === other.from && one.to === other.to;
}

/** Applies a change. Blocks that were removed elsewhere meanwhile stay removed. */
export function applyChange(blocked: Block[], { out, into }: BlockChange): Block[] {
  const kept = blocked.filter((block) => ![...out, ...into].some(isSame(block)));
  return [...kept, ...into].toSorted((a, b) => a.from.localeCompare(b.from));
}
