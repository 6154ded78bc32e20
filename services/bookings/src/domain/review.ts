import { dayMs } from '@lendtools/contracts/local-time';
import { reviewClosed } from './errors.ts';

/** How long after a booking's completion its parties may write reviews. Then they appear. */
const openDays = 14;
const remindDaysBefore = 3;

/** When reviews of a booking appear, and none can be written any more; null until the booking is completed. */
export const reviewsCloseAt = (completedAt: Date | null): Date | null =>
  completedAt && new Date(completedAt.getTime() + openDays * dayMs);

/** When the parties that have not written a review are reminded. */
export const remindReviewersAt = (closesAt: Date): Date =>
  new Date(closesAt.getTime() - remindDaysBefore * dayMs);

/** @throws AppError REVIEW_CLOSED once the review has appeared, or the time for reviews is over */
export const checkReviewOpen = (
  completedAt: Date | null,
  { now, isPublished }: { now: Date; isPublished: boolean },
): void => {
  if (isPublished)
    throw reviewClosed('This review has appeared already, so it can’t be changed any more.');
  const closesAt = reviewsCloseAt(completedAt);
  if (closesAt && now >= closesAt)
    throw reviewClosed(`The ${openDays} days for reviews of this rental are over.`);
};
