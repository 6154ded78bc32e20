import type { Booking, Terms, Tool } from '@lendtools/contracts';
import { laterDay, localDate } from '@lendtools/contracts/local-time';
import { findPendingChange } from '@lendtools/contracts/pending-change';
import { readPeriod } from '@lendtools/contracts/rental-period';
import { termsLimits } from '@lendtools/contracts/terms-limits';
import { formatDay } from '../../lib/format.ts';

export type Block = NonNullable<Terms['blocked']>[number];

export const rangeInWords = ({ from, to }: Block) =>
  from === to ? formatDay(from) : `${formatDay(from)} – ${formatDay(to)}`;

/** The days of a month, `2026-11`, and on which weekday it begins: 0 is a Sunday. */
export function daysOfMonth(month: string): { days: string[]; startsOn: number } {
  const first = `${month}-01`;
  const days: string[] = [];
  for (let day = first; day.startsWith(month); day = laterDay(day, 1)) days.push(day);
  return { days, startsOn: new Date(first).getUTCDay() };
}

/** The month that is so many months on. */
export function laterMonth(month: string, months: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + months, 1)).toISOString().slice(0, 7);
}

/** The same day of another month, or its last where it has none. */
export function sameDayOf(month: string, day: string): string {
  const { days } = daysOfMonth(month);
  return days[Number(day.slice(8)) - 1] ?? (days.at(-1) as string);
}

const sundayOf = (day: string) => laterDay(day, -new Date(day).getUTCDay());

/** Weeks begin on Sundays. */
export const isSameWeek = (one: string, other: string) => sundayOf(one) === sundayOf(other);

const isWithin = (day: string, timeZone: string, [startMs, endMs]: [number, number]): boolean =>
  localDate(timeZone, startMs) <= day && day <= localDate(timeZone, endMs);

/** Whether a booking has its tool on some part of a day, by the clock of the place: until it is back, where that is sooner. */
const isOn = ({ startsAt, endsAt, returnedAt, timeZone }: Booking, day: string): boolean => {
  const endMs = Math.min(Date.parse(endsAt) - 1, Date.parse(returnedAt ?? endsAt));
  return isWithin(day, timeZone, [Date.parse(startsAt), endMs]);
};

/** Whether a change would have the tool on a day: until its owner has answered, nobody else gets it. */
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

/** Whether a booking is only asked for on a day: as a whole, or this day by a change. */
export const isRequestedOn = (booking: Booking, day: string): boolean =>
  booking.booking_status === 'Requested' || !isOn(booking, day);

/** Who has a tool on a day, or asks for it. */
export const bookingsOn = (bookings: Booking[], { id }: Tool, day: string): Booking[] =>
  bookings.filter(
    (booking) => booking.rental_id === id && (isOn(booking, day) || isAskedFor(booking, day)),
  );

const covers = (day: string) => (block: Block) => block.from <= day && day <= block.to;

export const blocksOn = ({ terms }: Tool, day: string): Block[] =>
  terms?.blocked?.filter(covers(day)) ?? [];

/** Blocks that go and blocks that come; the other way round it is undone. */
export interface BlockChange {
  out: Block[];
  into: Block[];
}

export const undone = ({ out, into }: BlockChange): BlockChange => ({ out: into, into: out });

/** Blocks these days, too: what is blocked already and meets them becomes one block with them, with all of the notes. */
export function toBlock(blocked: Block[], { from, to }: Block): BlockChange {
  const out = blocked.filter((block) => block.from <= to && from <= block.to);
  const notes = [...new Set(out.map(({ note }) => note).filter(Boolean))];
  const [first = from] = [from, ...out.map((block) => block.from)].sort();
  const last = [to, ...out.map((block) => block.to)].sort().at(-1) ?? to;
  const note = notes.join(', ').slice(0, termsLimits.note);
  return { out, into: [{ from: first, to: last, ...(note && { note }) }] };
}

/** Frees a day with the whole range around it. */
export const toFree = (blocked: Block[], day: string): BlockChange => ({
  out: blocked.filter(covers(day)),
  into: [],
});

const isSame = (one: Block) => (other: Block) => one.from === other.from && one.to === other.to;

/** The blocks after a change, in order; what somebody else has taken out meanwhile stays out. */
export function changed(blocked: Block[], { out, into }: BlockChange): Block[] {
  const kept = blocked.filter((block) => ![...out, ...into].some(isSame(block)));
  return [...kept, ...into].toSorted((a, b) => a.from.localeCompare(b.from));
}
