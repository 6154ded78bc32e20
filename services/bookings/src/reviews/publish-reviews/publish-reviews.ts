import { databaseNow, inTransaction } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { reviewsCloseAt } from '../../domain/review.ts';
import { lockBooking } from '../../store/booking-repository.ts';
import { schedule } from '../../store/schedule.ts';
import { publishBoth } from '../publish-both.ts';

/** Publishes the reviews of a booking once the time to write them is over. Idempotent. */
export const publishReviews = (
  { pool }: Pick<Deps, 'pool'>,
  id: string,
  at?: Date,
): Promise<void> =>
  inTransaction(pool, async (tx) => {
    const now = at ?? (await databaseNow(tx));
    const booking = await lockBooking(tx, id);
    const closesAt = booking && reviewsCloseAt(booking);
    if (!closesAt) return;
    if (now < closesAt) return schedule(tx, 'publish-reviews', id, closesAt);
    await publishBoth(tx, booking);
  });
