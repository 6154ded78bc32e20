import { dayMs } from '@lendtools/contracts/local-time';
import { reviewClosed } from './errors.ts';

/** How long after a booking's completion its parties may write reviews. Then they appear. */
const openDays = 14;
const remindDaysBefore = 3;

export interface ReviewableTime {
  completedAt: Date | null;
  /** Later than the completion only if the booking was completed before it could be reviewed by both parties. */
  reviewableFrom: Date;
}

/** When reviews of a booking appear, and none can be written any more; null until the booking is completed. */
export const reviewsCloseAt = ({ completedAt, reviewableFrom }: ReviewableTime): Date | null =>
  completedAt &&
  new Date(Math.max(completedAt.getTime(), reviewableFrom.getTime()) + openDays * dayMs);

/** When the parties that have not written a review are reminded. */
export const remindReviewersAt = (closesAt: Date): Date =>
  new Date(closesAt.getTime() - remindDaysBefore * dayMs);

/** @throws AppError REVIEW_CLOSED once the review has appeared, or the time for reviews is over */
export const checkReviewOpen = (
  booking: ReviewableTime,
  { now, isPublished }: { now: Date; isPublished: boolean },
): void => {
  if (isPublished)
    throw reviewClosed('This review has appeared already, so it can’t be changed any more.');
  const closesAt = reviewsCloseAt(booking);
  if (closesAt && now >= closesAt)
    throw reviewClosed(`The ${openDays} days for reviews of this rental are over.`);
};
