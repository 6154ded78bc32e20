import { type Review, routes } from '@lendtools/contracts';
import { databaseClock, handle, inTransaction, spend } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { isShown, reviewTool } from '../../domain/booking.ts';
import { bookingNotFound } from '../../domain/errors.ts';
import { lockBooking } from '../../store/booking-repository.ts';
import { findReviewOf, saveReview } from '../../store/review-repository.ts';
import { reviewsAnHour } from '../limit-reviews.ts';
import { publishWhenBothWrote } from '../publish-both.ts';

/**
 * `POST …/add-review`: adds or changes the review of a paid booking, which appears with the owner's review of the renter. Only for
 * the renter, from the rental's start on.
 */
export const addReview = ({ pool, config }: Deps) =>
  handle(routes.addReview, ({ user, body }) =>
    inTransaction(pool, async (tx) => {
      const booking = await lockBooking(tx, body.rentalBooking_id);
      if (booking?.userId !== user.userId || !isShown(booking)) throw bookingNotFound();
      const { rating, ownerRating, comment } = body;
      const before = await findReviewOf(tx, booking.id);
      const message = before ? 'Your review is changed.' : 'Thank you for your review.';
      const isSame =
        before?.rating === rating &&
        before.comment === comment &&
        (ownerRating ?? before.ownerRating) === before.ownerRating;
      // A repeated call succeeds even if the review has appeared meanwhile.
      if (isSame) return { message, review: before };
      const isPublished = Boolean(before?.publishedAt);
      reviewTool(booking, { now: await databaseClock(tx), isPublished });
      const { isHidden } = await saveReview(tx, booking, body);
      await spend(tx, user.userId, reviewsAnHour(config.RATE_LIMIT_FACTOR));
      await publishWhenBothWrote(tx, booking);
      const review = (await findReviewOf(tx, booking.id)) as Review;
      return isHidden
        ? { message: 'LendTools has hidden this review, and it stays hidden.', review }
        : { message, review };
    }),
  );
