import type { Booking, Terms, Tool } from '@lendtools/contracts';
import { laterDay, localDate } from '@lendtools/contracts/local-time';
import { findPendingChange } from '@lendtools/contracts/pending-change';
import { readPeriod } from '@lendtools/contracts/rental-period';
import { termsLimits } from '@lendtools/contracts/terms-limits';
import { formatDay } from '../../lib/format.ts';

export type Block = NonNullable<Terms['blocked']>[number];

export const rangeInWords = ({ from, to }: Block) =>
  from === to ? formatDay(from) : `${formatDay(from)} – ${formatDay(to)}`;

/** The days of a month such as `2026-11`, and the weekday of its first day; 0 is Sunday. */
export function daysOfMonth(month: string): { days: string[]; startsOn: number } {
  const first = `${month}-01`;
  const days: string[] = [];
  for (let day = first; day.startsWith(month); day = laterDay(day, 1)) days.push(day);
  return { days, startsOn: new Date(first).getUTCDay() };
}

/** The month `months` after a month. */
export function laterMonth(month: string, months: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + months, 1)).toISOString().slice(0, 7);
}

/** The day of `month` with the same number as `day`, or the last day if the month is shorter. */
export function sameDayOf(month: string, day: string): string {
  const { days } = daysOfMonth(month);
  return days[Number(day.slice(8)) - 1] ?? (days.at(-1) as string);
}

const sundayOf = (day: string) => laterDay(day, -new Date(day).getUTCDay());

export const isSameWeek = (one: string, other: string) => sundayOf(one) === sundayOf(other);

const isWithin = (day: string, timeZone: string, [startMs, endMs]: [number, number]): boolean =>
  localDate(timeZone, startMs) <= day && day <= localDate(timeZone, endMs);

/** Whether a booking occupies any part of a day, in the time zone of the place. An early return shortens it. */
const isOn = ({ startsAt, endsAt, returnedAt, timeZone }: Booking, day: string): boolean => {
  const endMs = Math.min(Date.parse(endsAt) - 1, Date.parse(returnedAt ?? endsAt));
  return isWithin(day, timeZone, [Date.parse(startsAt), endMs]);
};

/** Whether a pending change would occupy a day. The day is taken until the owner has answered. */
const isAskedFor = (booking: Booking, day: string): boolean => {
  const change = findPendingChange(booking);
  if (!change) return false;
  const { rental_circle: circle, timeZone } = booking;
  const { start_date, start_time, end_date, end_time } = change;
  const period = readPeriod(
    { startDate: start_date, startTime: start_time, endDate: end_date, endTime: end_time },
    { circle, timeZone },
  );
  if ('problem' in period) return false;
  return isWithin(day, timeZone, [period.startsAtMs, period.endsAtMs - 1]);
};

/** Whether a booking occupies a day only if the owner accepts a request or a change. */
export const isRequestedOn = (booking: Booking, day: string): boolean =>
  booking.booking_status === 'Requested' || !isOn(booking, day);

export const bookingsOn = (bookings: Booking[], { id }: Tool, day: string): Booking[] =>
  bookings.filter(
    (booking) => booking.rental_id === id && (isOn(booking, day) || isAskedFor(booking, day)),
  );

const covers = (day: string) => (block: Block) => block.from <= day && day <= block.to;

export const blocksOn = ({ terms }: Tool, day: string): Block[] =>
  terms?.blocked?.filter(covers(day)) ?? [];

/** The blocks to remove and to add. Swapping the two undoes the change. */
export interface BlockChange {
  out: Block[];
  into: Block[];
}

export const undone = ({ out, into }: BlockChange): BlockChange => ({ out: into, into: out });

/** Blocks a range. Merges it with the existing blocks that it overlaps, and keeps their notes. */
export function toBlock(blocked: Block[], { from, to }: Block): BlockChange {
  const out = blocked.filter((block) => block.from <= to && from <= block.to);
  const notes = [...new Set(out.map(({ note }) => note).filter(Boolean))];
  const [first = from] = [from, ...out.map((block) => block.from)].sort();
  const last = [to, ...out.map((block) => block.to)].sort().at(-1) ?? to;
  const note = notes.join(', ').slice(0, termsLimits.note);
  return { out, into: [{ from: first, to: last, ...(note && { note }) }] };
}

export const toFree = (blocked: Block[], day: string): BlockChange => ({
  out: blocked.filter(covers(day)),
  into: [],
});

const isSame = (one: Block) => (other: Block) => one.from === other.from && one.to === other.to;

/** Applies a change and sorts the blocks. Blocks that were removed elsewhere meanwhile stay removed. */
export function changed(blocked: Block[], { out, into }: BlockChange): Block[] {
  const kept = blocked.filter((block) => ![...out, ...into].some(isSame(block)));
  return [...kept, ...into].toSorted((a, b) => a.from.localeCompare(b.from));
}
