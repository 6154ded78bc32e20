import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { statusAfterBookings, type ToolBooking } from './tool-status.ts';

const at = (minute: number): Date => new Date(Date.UTC(2026, 4, 1, 12, minute));
const booking = (minute: number, changes: Partial<ToolBooking> = {}): ToolBooking => ({
  quantity: 1,
  bookedAt: at(minute),
  returnedAt: null,
  cancelledAt: null,
  ...changes,
});
const listedAt = at(0);
const pausedAt = null;
const staysListed = false;

describe('statusAfterBookings', () => {
  it.each<[string, number, ToolBooking[], string]>([
    ['is Available without bookings', 1, [], 'Available'],
    ['is Unavailable once the last unit is booked', 1, [booking(1)], 'Unavailable'],
    ['is Available while a unit is left', 2, [booking(1)], 'Available'],
    ['counts the units of a booking', 2, [booking(1, { quantity: 2 })], 'Unavailable'],
    ['stays Unavailable after the return', 1, [booking(1, { returnedAt: at(2) })], 'Unavailable'],
    [
      'counts a booking that is returned at the instant it is made',
      1,
      [booking(1, { returnedAt: at(1) })],
      'Unavailable',
    ],
    ['is Available after the cancellation', 1, [booking(1, { cancelledAt: at(2) })], 'Available'],
    [
      'counts a unit as free that was returned before the next booking',
      2,
      [booking(1, { returnedAt: at(2) }), booking(2)],
      'Available',
    ],
    ['ignores bookings made before the listing', 1, [booking(-1)], 'Available'],
    [
      'ignores a booking of which only the return has arrived',
      1,
      [booking(0, { bookedAt: null, returnedAt: at(2) })],
      'Available',
    ],
    [
      'stays Unavailable when another booking is cancelled',
      1,
      [booking(1), booking(2, { cancelledAt: at(3) })],
      'Unavailable',
    ],
  ])('%s', (_what, units, bookings, expected) => {
    expect(statusAfterBookings({ units, listedAt, pausedAt, staysListed }, bookings)).toBe(
      expected,
    );
  });

  it('returns Unavailable while the tool is paused, whatever happens to its bookings', () => {
    const paused = { units: 2, listedAt: at(5), pausedAt: at(5), staysListed };
    const bookings = [booking(1, { returnedAt: at(6) }), booking(6, { cancelledAt: at(7) })];

    expect(statusAfterBookings(paused, bookings)).toBe('Unavailable');
    expect(statusAfterBookings({ ...paused, listedAt: at(8) }, bookings)).toBe('Available');
  });

  it('does not depend on the order of the bookings', () => {
    const bookings = fc.array(
      fc.record({
        quantity: fc.integer({ min: 1, max: 3 }),
        bookedAt: fc.option(fc.integer({ min: -5, max: 20 }).map(at)),
        returnedAt: fc.option(fc.integer({ min: 20, max: 40 }).map(at)),
        cancelledAt: fc.option(fc.constant(at(30))),
      }),
      { maxLength: 8 },
    );
    const shuffled = bookings.chain((given) =>
      fc.tuple(
        fc.constant(given),
        fc.shuffledSubarray(given, { minLength: given.length }),
        fc.integer({ min: 1, max: 5 }),
      ),
    );

    fc.assert(
      fc.property(shuffled, ([given, other, units]) => {
        const listing = { units, listedAt, pausedAt, staysListed };
        expect(statusAfterBookings(listing, other)).toBe(statusAfterBookings(listing, given));
      }),
    );
  });
});
