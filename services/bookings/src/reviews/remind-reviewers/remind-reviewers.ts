import { addToOutbox } from '@lendtools/event-bus';
import { databaseNow, inTransaction } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { remindReviewersAt, reviewsCloseAt } from '../../domain/review.ts';
import { reviewDue } from '../../store/booking-events.ts';
import { lockBooking } from '../../store/booking-repository.ts';
import { findRenterReviewRow } from '../../store/renter-review-repository.ts';
import { hasReview, saveReviewersReminded } from '../../store/review-repository.ts';
import { schedule } from '../../store/schedule.ts';

/** Reminds the parties that have not reviewed a booking, once, some days before the time for it is over. */
export const remindReviewers = (
  { pool }: Pick<Deps, 'pool'>,
  id: string,
  at?: Date,
): Promise<void> =>
  inTransaction(pool, async (tx) => {
    const now = at ?? (await databaseNow(tx));
    const booking = await lockBooking(tx, id);
    const closesAt = booking && reviewsCloseAt(booking);
    if (!closesAt || now >= closesAt) return;
    const dueAt = remindReviewersAt(closesAt);
    if (now < dueAt) return schedule(tx, 'remind-reviewers', id, dueAt);
    const missing = [
      ...((await findRenterReviewRow(tx, id)) ? [] : (['owner'] as const)),
      ...((await hasReview(tx, id)) ? [] : (['renter'] as const)),
    ];
    if ((await saveReviewersReminded(tx, id)) && missing.length > 0)
      await addToOutbox(tx, reviewDue(booking, { missing, closesAt }));
  });
