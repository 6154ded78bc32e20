import { addToOutbox, newEvent } from '@lendtools/event-bus';
import type { Transaction } from '@lendtools/service-kit';
import { reviewsCloseAt } from '../domain/review.ts';
import { isBlocked } from '../store/block-repository.ts';
import { partiesOf } from '../store/booking-events.ts';
import type { BookingRow } from '../store/booking-repository.ts';
import { findRenterReviewRow, publishRenterReview } from '../store/renter-review-repository.ts';
import { hasReview, publishToolReview, sumRatings } from '../store/review-repository.ts';
import { schedule } from '../store/schedule.ts';

/** Publishes both reviews of a locked booking if both are written. Otherwise they appear once the time to write them is over. */
export const publishWhenBothWrote = async (tx: Transaction, booking: BookingRow): Promise<void> => {
  if ((await hasReview(tx, booking.id)) && (await findRenterReviewRow(tx, booking.id)))
    return publishBoth(tx, booking);
  // Scheduled again in case the task of the completion ran before this review was written.
  const closesAt = reviewsCloseAt(booking);
  if (closesAt) await schedule(tx, 'publish-reviews', booking.id, closesAt);
};

/**
 * Makes the reviews of a locked booking visible. Idempotent. The text of a hidden review is not published, nor are texts between
 * people of whom one has blocked the other: the event's text becomes a notice.
 */
export const publishBoth = async (tx: Transaction, booking: BookingRow): Promise<void> => {
  const isSilent = await isBlocked(tx, booking.userId, booking.ownerId);
  const ofTool = await publishToolReview(tx, booking.id);
  if (ofTool && !ofTool.isHidden) {
    const { version, count, sum } = await sumRatings(tx, booking.toolId);
    const event = newEvent(
      'ReviewAdded',
      { id: booking.toolId, version },
      {
        ...partiesOf(booking),
        reviewId: ofTool.id,
        rating: ofTool.rating,
        comment: isSilent ? '' : ofTool.comment,
        changed: false,
        toolRatingCount: count,
        toolRatingSum: sum,
      },
    );
    await addToOutbox(tx, event);
  }
  const ofRenter = await publishRenterReview(tx, booking.id);
  if (ofRenter && !ofRenter.isHidden) {
    const { id: reviewId, care, punctuality, communication } = ofRenter;
    const comment = isSilent ? '' : ofRenter.comment;
    const review = { reviewId, care, punctuality, communication, comment };
    const aggregate = { id: reviewId, version: 1 };
    await addToOutbox(
      tx,
      newEvent('RenterReviewAdded', aggregate, { ...partiesOf(booking), ...review }),
    );
  }
};
