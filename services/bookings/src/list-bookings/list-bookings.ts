import { type Booking, maxPageSize, routes } from '@lendtools/contracts';
import { handle, readCursor, splitPage } from '@lendtools/service-kit';
import { pageOfBookings, readBooking, searchBookings } from '../booking-view.ts';
import type { Deps } from '../deps.ts';
import { actorOf } from '../domain/booking.ts';
import { bookingNotFound } from '../errors.ts';

interface Paging {
  limit?: number | undefined;
  cursor?: string | undefined;
  when?: 'open' | 'over' | undefined;
}

/** `GET /api/rentalBookings/my-bookings`: of one's own tools. */
export const ownerBookings = (deps: Deps) =>
  handle(routes.ownerBookings, ({ user, query }) => list(deps, 'owner_id', user.userId, query));

/** `GET /api/rentalBookings/:userId/my-bookings`: what one has rented. */
export const renterBookings = (deps: Deps) =>
  handle(routes.renterBookings, ({ user, query }) => list(deps, 'user_id', user.userId, query));

const statusOf = { Booked: 'confirmed', Returned: 'returned', Cancelled: 'cancelled' } as const;

/** `GET /api/all-bookings`, for admins: all of them, or those that are looked for. */
export const allBookings = ({ pool }: Deps) =>
  handle(routes.allBookings, async ({ query }) => {
    const { limit = maxPageSize, q, status, userId } = query;
    const { bookings, total } = await searchBookings(pool, {
      limit: limit + 1,
      before: readCursor(query.cursor) ?? null,
      q: q ?? null,
      status: status ? statusOf[status] : null,
      userId: userId ?? null,
    });
    const { items, nextCursor } = splitPage(bookings, limit);
    return { bookings: items, total, nextCursor };
  });

/** `GET /api/rentalBookings/:id/details`: for its two parties and admins; to others it doesn't exist. */
export const getBooking = ({ pool }: Deps) =>
  handle(routes.getBooking, async ({ user, params }) => {
    const booking = await readBooking(pool, params.id, user);
    if (!isSeenBy(booking, user)) throw bookingNotFound();
    return { booking };
  });

const isSeenBy = (booking: Booking, user: { userId: string; role: 'User' | 'Admin' }): boolean =>
  actorOf({ userId: booking.userId, ownerId: booking.toolOwnerId }, user) !== undefined;

const list = async (
  { pool }: Deps,
  whose: 'owner_id' | 'user_id',
  userId: string,
  { limit = maxPageSize, cursor, when }: Paging,
) => {
  const before = readCursor(cursor) ?? null;
  const rows = await pageOfBookings(pool, whose, {
    userId,
    limit: limit + 1,
    before,
    when: when ?? null,
  });
  const { items, nextCursor } = splitPage(rows, limit);
  return { bookings: items, nextCursor };
};
