import type { Booking } from '@lendtools/contracts';
import { requestedChangeOf } from '@lendtools/contracts/open-approval';
import { type TimeStatus, timeStatus } from '../../rental/time-status.ts';

/** The one status that a booking shows: what holds it up comes before where it is. */
export function statusOf(booking: Booking, now: number): string {
  const status = timeStatus(booking, now);
  if (status === 'Overdue') return status;
  if (booking.hasOpenProblem) return 'Problem reported';
  if (requestedChangeOf(booking)) return 'Change asked';
  return status ?? booking.booking_status;
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
  const { allowedActions } = booking;
  if (allowedActions.includes('accept') || allowedActions.includes('undoAccept')) return 'Now';
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
