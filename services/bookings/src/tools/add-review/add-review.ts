import { type Review, routes } from '@lendtools/contracts';
import { addToOutbox, newEvent } from '@lendtools/event-bus';
import { databaseNow, handle, inTransaction, scaled, spend } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { isInForce, isShown, mayBeReviewed, statusMessageOf } from '../../domain/booking.ts';
import { bookingNotActive, bookingNotFound, bookingNotStarted } from '../../domain/errors.ts';
import { partiesOf } from '../../store/booking-events.ts';
import { lockBooking } from '../../store/booking-repository.ts';
import { findReviewOf, saveReview } from '../../store/review-repository.ts';

/** Reviews are limited, because every new or changed review notifies the owner. */
const reviewsAnHour = (factor: number) => ({
  kind: 'reviews',
  limit: scaled(60, factor),
  windowSeconds: 3_600,
  rejection: 'You have changed your reviews many times.',
});

/** `POST …/add-review`: adds or changes the review of a paid booking. Only for the renter, from the rental's start on. */
export const addReview = ({ pool, config }: Deps) =>
  handle(routes.addReview, ({ user, body }) =>
    inTransaction(pool, async (tx) => {
      const booking = await lockBooking(tx, body.rentalBooking_id);
      if (booking?.userId !== user.userId || !isShown(booking)) throw bookingNotFound();
      if (!isInForce(booking)) throw bookingNotActive(statusMessageOf(booking));
      if (!mayBeReviewed(booking, await databaseNow(tx)))
        throw bookingNotStarted('You can review this tool once your rental has started.');

      const { rating, comment } = body;
      const before = await findReviewOf(tx, booking.id);
      const changed = before !== undefined;
      const message = changed ? 'Your review is changed.' : 'Thank you for your review.';
      if (before?.rating === rating && before.comment === comment)
        return { message, review: before };
      const { version, count, sum, isHidden } = await saveReview(tx, booking, {
        rating,
        comment,
      });
      const review = (await findReviewOf(tx, booking.id)) as Review;
      await spend(tx, user.userId, reviewsAnHour(config.RATE_LIMIT_FACTOR));
      if (isHidden)
        return { message: 'LendTools has hidden this review, and it stays hidden.', review };
      const data = { ...partiesOf(booking), reviewId: review.id, rating, comment, changed };
      const sums = { toolRatingCount: count, toolRatingSum: sum };
      const aggregate = { id: booking.toolId, version };
      await addToOutbox(tx, newEvent('ReviewAdded', aggregate, { ...data, ...sums }));
      return { message, review };
    }),
  );
