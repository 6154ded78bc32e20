import { type Booking, maxPageSize, routes } from '@lendtools/contracts';
import { type Caller, handle, readCursor, splitPage } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { type BookingStatus, completesAt } from '../../domain/booking.ts';
import { bookingNotFound } from '../../domain/errors.ts';
import {
  bookingStatus,
  pageOfBookings,
  readBooking,
  searchBookings,
} from '../../store/booking-view.ts';

interface Paging {
  limit?: number | undefined;
  cursor?: string | undefined;
  when?: 'open' | 'over' | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

/** `GET /api/rentalBookings/my-bookings`: the bookings of the caller's tools. */
export const ownerBookings = (deps: Deps) =>
  handle(routes.ownerBookings, ({ user, query }) => list(deps, 'owner_id', user, query));

/** `GET /api/rentalBookings/:userId/my-bookings`: the caller's rentals. */
export const renterBookings = (deps: Deps) =>
  handle(routes.renterBookings, ({ user, query }) => list(deps, 'user_id', user, query));

const statusOf = (called: Booking['booking_status']): BookingStatus | undefined =>
  (Object.keys(bookingStatus) as BookingStatus[]).find((one) => bookingStatus[one] === called);

export const allBookings = ({ pool }: Deps) =>
  handle(routes.allBookings, async ({ user: viewer, query }) => {
    const { limit = maxPageSize, q, status, userId, overdue } = query;
    const { bookings, ...total } = await searchBookings(pool, {
      viewer,
      limit: limit + 1,
      before: readCursor(query.cursor) ?? null,
      q: q ?? null,
      status: (status && statusOf(status)) ?? null,
      userId: userId ?? null,
      isOverdue: overdue !== undefined,
    });
    const { items, nextCursor } = splitPage(bookings, limit);
    return { bookings: items, ...total, nextCursor };
  });

export const getBooking = ({ pool, config }: Deps) =>
  handle(routes.getBooking, async ({ user, params, allow }) => {
    const found = await readBooking(pool, params.id, user);
    const booking = { ...found, completesAt: completionOf(found, config.COMPLETE_AFTER_HOURS) };
    return allow([booking.userId, booking.toolOwnerId], bookingNotFound)({ booking });
  });

const completionOf = (booking: Booking, afterHours: number): string | null => {
  const { booking_status, hasOpenProblem, returnedAt, endsAt } = booking;
  if (hasOpenProblem || !['Booked', 'Returned'].includes(booking_status)) return null;
  const rental = {
    returnedAt: returnedAt === null ? null : new Date(returnedAt),
    endsAt: new Date(endsAt),
  };
  return completesAt(rental, afterHours).toISOString();
};

const list = async (
  { pool }: Deps,
  whose: 'owner_id' | 'user_id',
  viewer: Caller,
  { limit = maxPageSize, cursor, when, from, to }: Paging,
) => {
  const before = readCursor(cursor) ?? null;
  const rows = await pageOfBookings(pool, whose, {
    viewer,
    limit: limit + 1,
    before,
    when: when ?? null,
    days: from && to ? { from, to } : null,
  });
  const { items, nextCursor } = splitPage(rows, limit);
  return { bookings: items, nextCursor };
};
