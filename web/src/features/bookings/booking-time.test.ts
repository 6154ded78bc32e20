import { describe, expect, it } from '@jest/globals';
import type { Booking } from '@lendtools/contracts';
import { buildBooking, buildCancelled } from '../../../test/bookings.ts';
import { timeStatus } from '../../rental/time-status.ts';
import { groupBookings, groupOf } from './booking-time.ts';

const day = 86_400_000;
const now = Date.parse('2026-11-20T12:00:00Z');

function from(start: number, end: number, overrides: Partial<Booking> = {}) {
  return buildBooking({
    startsAt: new Date(now + start * day).toISOString(),
    endsAt: new Date(now + end * day).toISOString(),
    ...overrides,
  });
}

describe('booking-time', () => {
  it.each([
    ['before its start', from(1, 3), 'Upcoming', 'Upcoming'],
    ['after its start', from(0, 2), 'Out now', 'Now'],
    ['after its end, before the return', from(-3, 0), 'Due back', 'Now'],
    ['up to half an hour after its end', from(-3, -29 / 1440), 'Due back', 'Now'],
    ['half an hour after its end', from(-3, -30 / 1440), 'Overdue', 'Now'],
    ['on the last day, without a time', from(-3, -0.7, { end_time: '' }), 'Due back', 'Now'],
    [
      'after 6 PM on the last day, without a time',
      from(-3, -0.75, { end_time: '' }),
      'Overdue',
      'Now',
    ],
    ['once it is back', from(-1, 1, { booking_status: 'Returned' }), 'Back', 'Past'],
    ['once it is completed', from(-9, -3, { booking_status: 'Completed' }), 'Completed', 'Past'],
    ['once it is cancelled', { ...from(1, 3), ...cancelled() }, null, 'Past'],
  ])('returns the status of a booking %s', (_, booking, status, group) => {
    expect(timeStatus(booking, now)).toBe(status);
    expect(groupOf(booking, now)).toBe(group);
  });

  it('groups bookings, sorts each group by the next due date, and omits empty groups', () => {
    const named = (name: string, booking: Booking) => ({ ...booking, id: name });
    const bookings = [
      named('later', from(5, 6)),
      named('soon', from(1, 9)),
      named('due tomorrow', from(-2, 1)),
      named('overdue', from(-9, -1)),
    ];

    const grouped = groupBookings(bookings, now);

    expect(grouped.map(({ title, rows }) => [title, ...rows.map(({ id }) => id)])).toEqual([
      ['Now', 'overdue', 'due tomorrow'],
      ['Upcoming', 'soon', 'later'],
    ]);
  });
});

function cancelled(): Partial<Booking> {
  const { booking_status, cancellation } = buildCancelled();
  return { booking_status, cancellation };
}
