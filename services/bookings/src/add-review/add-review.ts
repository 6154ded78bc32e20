import { type Review, routes } from '@lendtools/contracts';
import { addToOutbox, newEvent } from '@lendtools/event-bus';
import { handle, inTransaction, spend, type Transaction } from '@lendtools/service-kit';
import { partiesOf } from '../booking-events.ts';
import { type BookingRow, lockBooking } from '../booking-repository.ts';
import type { Deps } from '../deps.ts';
import { isBooked, mayBeReviewed } from '../domain/booking.ts';
import { bookingNotActive, bookingNotFound, bookingNotStarted } from '../errors.ts';
import { databaseNow } from '../purchase-repository.ts';
import { findReviews } from '../review-view.ts';

interface Opinion {
  rating: number;
  comment: string;
}

/** Each change is told to the owner. */
const reviewsAnHour = (factor: number) => ({
  kind: 'reviews',
  limit: Math.max(1, Math.round(60 * factor)),
  windowSeconds: 3_600,
  refusal: 'You have changed your reviews many times.',
});

/** `POST …/add-review`: one review for each paid booking, by its renter, from its start on; again changes it. */
export const addReview = ({ pool, config }: Deps) =>
  handle(routes.addReview, ({ user, body }) =>
    inTransaction(pool, async (tx) => {
      const booking = await lockBooking(tx, body.rentalBooking_id);
      if (booking?.userId !== user.userId || !isBooked(booking)) throw bookingNotFound();
      if (booking.status === 'cancelled') throw bookingNotActive('This booking was cancelled.');
      if (!mayBeReviewed(booking, await databaseNow(tx)))
        throw bookingNotStarted('You can review this tool once your rental has started.');

      const { isNew, isSame, review } = await saveReview(tx, booking, body);
      if (!isSame) {
        await spend(tx, user.userId, reviewsAnHour(config.RATE_LIMIT_FACTOR));
        await publish(tx, booking, { review, opinion: body, isNew });
      }
      const message = isNew ? 'Thank you for your review.' : 'Your review is changed.';
      return { message, review };
    }),
  );

const saveReview = async (
  tx: Transaction,
  booking: BookingRow,
  { rating, comment }: Opinion,
): Promise<{ isNew: boolean; isSame: boolean; review: Review }> => {
  const before = await reviewOf(tx, booking.id);
  const isSame = before?.rating === rating && before.comment === comment;
  if (before && isSame) return { isNew: false, isSame, review: before };
  await tx.query(
    `INSERT INTO reviews (booking_id, tool_id, user_id, rating, comment) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (booking_id) DO UPDATE SET rating = EXCLUDED.rating, comment = EXCLUDED.comment,
       changed_at = now()`,
    [booking.id, booking.toolId, booking.userId, rating, comment],
  );
  await tx.query(
    `INSERT INTO tool_ratings AS t (tool_id, version, rating_count, rating_sum) VALUES ($1, 1, $2, $3)
     ON CONFLICT (tool_id) DO UPDATE SET version = t.version + 1,
       rating_count = t.rating_count + EXCLUDED.rating_count, rating_sum = t.rating_sum + EXCLUDED.rating_sum`,
    [booking.toolId, before ? 0 : 1, rating - (before?.rating ?? 0)],
  );
  return { isNew: !before, isSame, review: (await reviewOf(tx, booking.id)) as Review };
};

const reviewOf = async (tx: Transaction, bookingId: string): Promise<Review | undefined> => {
  const [review] = await findReviews(tx, { toolId: null, bookingId, before: null, limit: 1 });
  return review;
};

const publish = async (
  tx: Transaction,
  booking: BookingRow,
  { review, opinion, isNew }: { review: Review; opinion: Opinion; isNew: boolean },
): Promise<void> => {
  const { rows } = await tx.query<{ version: number; count: number; sum: number }>(
    `SELECT version, rating_count AS count, rating_sum AS sum FROM tool_ratings WHERE tool_id = $1`,
    [booking.toolId],
  );
  for (const { version, count, sum } of rows) {
    const event = newEvent(
      'ReviewAdded',
      { id: booking.toolId, version },
      {
        ...partiesOf(booking),
        reviewId: review.id,
        rating: opinion.rating,
        comment: opinion.comment,
        changed: !isNew,
        toolRatingCount: count,
        toolRatingSum: sum,
      },
    );
    await addToOutbox(tx, event);
  }
};
