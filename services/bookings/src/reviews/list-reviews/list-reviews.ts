import { maxPageSize, routes } from '@lendtools/contracts';
import { handle, readCursor, splitPage } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { countReviews, findReviews } from '../../store/review-repository.ts';

/** `GET /api/rentalBookings/get-review`: the reviews of a tool or a booking, or all reviews. Public, except those that have not appeared. */
export const listReviews = ({ pool }: Deps) =>
  handle(routes.getReviews, async ({ query, user }) => {
    const { limit = maxPageSize, cursor, rental_id, rentalBooking_id } = query;
    const rows = await findReviews(pool, {
      toolId: rental_id ?? null,
      bookingId: rentalBooking_id ?? null,
      before: readCursor(cursor) ?? null,
      limit: limit + 1,
      viewerId: user?.userId,
      // In the list of a tool's reviews, admins get what the public gets.
      withUnpublished: user?.role === 'Admin' && rentalBooking_id !== undefined,
    });
    const { items, nextCursor } = splitPage(rows, limit);
    const counts = rental_id ? await countReviews(pool, rental_id) : null;
    return { reviews: items, nextCursor, counts };
  });
