import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type BookingsService, startBookingsService } from '../../../test/bookings-service.ts';
import { reviewsAt } from '../../../test/reviews.ts';
import { remindReviewers } from './remind-reviewers.ts';

let service: BookingsService;
beforeAll(async () => {
  service = await startBookingsService();
});
afterAll(() => service.stop());

const { review, reviewRenter, lentAndCompleted } = reviewsAt(() => service);

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);

const missingIn = async (id: string): Promise<string[][]> => {
  const { rows } = await service.pool.query(
    `SELECT envelope->'data'->'missing' AS missing FROM outbox_messages WHERE aggregate_id = $1 AND type = 'ReviewDue'`,
    [id],
  );
  return rows.map(({ missing }) => missing);
};

describe('remind-reviewers', () => {
  it('reminds the parties without a review once, three days before the time is over', async () => {
    const [nobody, renter] = [await lentAndCompleted(), await lentAndCompleted()];
    await review(renter.renter, renter.id);

    await remindReviewers(service.jobDeps, nobody.id, inDays(10.9));
    const early = await missingIn(nobody.id);
    for (const { id } of [nobody, renter])
      await Promise.all([1, 2, 3].map(() => remindReviewers(service.jobDeps, id, inDays(11))));

    expect(early).toEqual([]);
    expect(await missingIn(nobody.id)).toEqual([['owner', 'renter']]);
    expect(await missingIn(renter.id)).toEqual([['owner']]);
  });

  it('reminds nobody once both have written or the time is over', async () => {
    const [both, over] = [await lentAndCompleted(), await lentAndCompleted()];
    await review(both.renter, both.id);
    await reviewRenter(both.owner, both.id);

    await remindReviewers(service.jobDeps, both.id, inDays(11));
    await remindReviewers(service.jobDeps, over.id, inDays(14));

    expect([await missingIn(both.id), await missingIn(over.id)]).toEqual([[], []]);
  });
});
