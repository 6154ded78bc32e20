import type { Booking, Terms, Tool } from '@lendtools/contracts';
import { laterDay, localDate } from '@lendtools/contracts/local-time';
import { requestedChangeOf } from '@lendtools/contracts/open-approval';
import { readPeriod } from '@lendtools/contracts/rental-period';
import { termsLimits } from '@lendtools/contracts/terms-limits';
import { formatDay } from '../../rental/format.ts';

export type Block = NonNullable<Terms['blocked']>[number];

interface Days {
  from: string;
  to: string;
}

/** Days that a booking occupies, or would occupy once the owner accepts, in the tool's time zone. */
export interface Stay extends Days {
  booking: Booking;
  /** Whether the owner has not accepted these days: of a requested booking, or of a requested change. */
  isRequested: boolean;
}

export function rangeInWords({ from, to }: Block) {
  return from === to ? formatDay(from) : `${formatDay(from)} – ${formatDay(to)}`;
}

export function laterMonth(month: string, months: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + months, 1)).toISOString().slice(0, 7);
}

/** The day of `month` with the same number as `day`, or the month's last day if it is shorter. */
export function sameDayOf(month: string, day: string): string {
  const last = laterDay(`${laterMonth(month, 1)}-01`, -1);
  const same = month + day.slice(7);
  return same < last ? same : last;
}

function daysIn(timeZone: string, startMs: number, endMs: number): Days {
  return { from: localDate(timeZone, startMs), to: localDate(timeZone, endMs) };
}

/** After an early return the tool is free again. */
function ownDays({ startsAt, endsAt, returnedAt, timeZone }: Booking): Days {
  const endMs = Math.min(Date.parse(endsAt) - 1, Date.parse(returnedAt ?? endsAt));
  return daysIn(timeZone, Date.parse(startsAt), endMs);
}

/** The days of a change that the owner has not answered; the change occupies them until the answer. */
function changeDays(booking: Booking): Days | undefined {
  const change = requestedChangeOf(booking);
  if (!change) return undefined;
  const { rental_circle: circle, timeZone } = booking;
  const { start_date, start_time, end_date, end_time } = change;
  const period = readPeriod(
    { startDate: start_date, startTime: start_time, endDate: end_date, endTime: end_time },
    { circle, timeZone },
  );
  if ('problem' in period) return undefined;
  return daysIn(timeZone, period.startsAtMs, period.endsAtMs - 1);
}

/** The days before and after `others`. */
function daysAround({ from, to }: Days, others: Days): Days[] {
  const [dayBefore, dayAfter] = [laterDay(others.from, -1), laterDay(others.to, 1)];
  return [
    { from, to: to < dayBefore ? to : dayBefore },
    { from: from > dayAfter ? from : dayAfter, to },
  ];
}

export function staysOf(booking: Booking): Stay[] {
  const own = ownDays(booking);
  const change = changeDays(booking);
  const stays = [
    { ...own, isRequested: booking.booking_status === 'Requested' },
    ...(change ? daysAround(change, own) : []).map((days) => ({ ...days, isRequested: true })),
  ];
  return stays.filter(({ from, to }) => from <= to).map((days) => ({ booking, ...days }));
}

function covers(day: string) {
  return ({ from, to }: Days) => from <= day && day <= to;
}

export function staysOn(stays: Stay[], { id }: Tool, day: string): Stay[] {
  return stays.filter(({ booking }) => booking.rental_id === id).filter(covers(day));
}

export function blocksOn({ terms }: Tool, day: string): Block[] {
  return terms?.blocked?.filter(covers(day)) ?? [];
}

/** Puts each range into the first lane that has no overlapping range. */
export function intoLanes<T extends Days>(ranges: T[]): { range: T; lane: number }[] {
  const lanes: string[] = [];
  return ranges
    .toSorted((a, b) => a.from.localeCompare(b.from))
    .map((range) => {
      const free = lanes.findIndex((last) => last < range.from);
      const lane = free < 0 ? lanes.length : free;
      lanes[lane] = range.to;
      return { range, lane };
    });
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
