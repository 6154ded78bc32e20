import { routes } from '@lendtools/contracts';
import { databaseClock, handle, inTransaction, spend } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import * as rules from '../../domain/booking.ts';
import { bookingNotFound } from '../../domain/errors.ts';
import { lockBooking } from '../../store/booking-repository.ts';
import { readBooking } from '../../store/booking-view.ts';
import {
  findRenterReviewRow,
  type RenterRating,
  type RenterReviewRow,
  saveRenterReview,
} from '../../store/renter-review-repository.ts';
import { reviewsAnHour } from '../limit-reviews.ts';
import { publishWhenBothWrote } from '../publish-both.ts';

/** Adds or changes the owner's review of the renter, which appears with the renter's review. Only for completed bookings. */
export const reviewRenter = ({ pool, config }: Deps) =>
  handle(routes.reviewRenter, async ({ user, params, body }) => {
    const message = await inTransaction(pool, async (tx) => {
      const booking = await lockBooking(tx, params.id);
      if (booking?.ownerId !== user.userId || !rules.isShown(booking)) throw bookingNotFound();
      const before = await findRenterReviewRow(tx, booking.id);
      const did = before ? 'Your review is changed.' : 'Thank you for your review.';
      // A repeated call succeeds even if the review has appeared meanwhile.
      if (before && isSame(before, body)) return did;
      const isPublished = Boolean(before?.publishedAt);
      rules.reviewRenter(booking, { now: await databaseClock(tx), isPublished });
      await saveRenterReview(tx, booking, body);
      await spend(tx, user.userId, reviewsAnHour(config.RATE_LIMIT_FACTOR));
      await publishWhenBothWrote(tx, booking);
      return before?.isHidden ? 'LendTools has hidden this review, and it stays hidden.' : did;
    });
    return { message, rental: await readBooking(pool, params.id, user) };
  });

const isSame = (before: RenterReviewRow, after: RenterRating): boolean =>
  before.care === after.care &&
  before.punctuality === after.punctuality &&
  before.communication === after.communication &&
  before.comment === after.comment;
