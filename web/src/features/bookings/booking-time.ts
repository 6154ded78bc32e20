import type { Booking } from '@lendtools/contracts';
import { overdueAtMs } from '@lendtools/contracts/rental-period';

/** A booking's status at the current time. Requests and canceled bookings have none. */
type TimeStatus = 'Upcoming' | 'Out now' | 'Due back' | 'Overdue' | 'Back' | 'Completed';

export function timeStatus(booking: Booking, now: number): TimeStatus | null {
  if (booking.booking_status === 'Returned') return 'Back';
  if (booking.booking_status === 'Completed') return 'Completed';
  if (booking.booking_status !== 'Booked') return null;
  if (now < Date.parse(booking.startsAt)) return 'Upcoming';
  const endsAtMs = Date.parse(booking.endsAt);
  if (now < endsAtMs) return 'Out now';
  return now < overdueAtMs({ endsAtMs, endTime: booking.end_time }) ? 'Due back' : 'Overdue';
}

/** The order of the groups: bookings that need action come first. */
const groups = ['Now', 'Upcoming', 'Past'] as const;
type Group = (typeof groups)[number];

const groupOfStatus: Record<TimeStatus, Group> = {
  Upcoming: 'Upcoming',
  'Out now': 'Now',
  'Due back': 'Now',
  Overdue: 'Now',
  Back: 'Past',
  Completed: 'Past',
};

export function groupOf(booking: Booking, now: number): Group {
  const status = timeStatus(booking, now);
  if (booking.booking_status === 'Requested') return 'Now';
  if (booking.allowedActions.includes('accept')) return 'Now';
  return status ? groupOfStatus[status] : 'Past';
}

/** Sorts by the next due date; past bookings keep the server's order, newest first. */
const before: Record<Group, (a: Booking, b: Booking) => number> = {
  Now: (a, b) => Date.parse(a.endsAt) - Date.parse(b.endsAt),
  Upcoming: (a, b) => Date.parse(a.startsAt) - Date.parse(b.startsAt),
  Past: () => 0,
};

export function groupBookings(
  bookings: Booking[],
  now: number,
): { title: Group; rows: Booking[] }[] {
  return groups
    .map((title) => ({
      title,
      rows: bookings.filter((one) => groupOf(one, now) === title).toSorted(before[title]),
    }))
    .filter(({ rows }) => rows.length > 0);
}
