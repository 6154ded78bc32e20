import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@lendtools/testing';
import { type BookingsService, startBookingsService } from '../../../test/bookings-service.ts';
import { reviewsAt } from '../../../test/reviews.ts';
import { publishReviews } from './publish-reviews.ts';

let service: BookingsService;
beforeAll(async () => {
  service = await startBookingsService();
});
afterAll(() => service.stop());

const { review, reviewRenter, completeDaysAgo, lentAndCompleted, visible } = reviewsAt(
  () => service,
);

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);

const eventsOf = async (id: string) => {
  const { rows } = await service.pool.query(
    `SELECT type FROM outbox_messages WHERE envelope->'data'->>'bookingId' = $1 AND type LIKE '%ReviewAdded' ORDER BY type`,
    [id],
  );
  return rows.map(({ type }) => type);
};

describe('publish-reviews', () => {
  it('publishes the review of one party 14 days after the completion, and only once', async () => {
    const { id, renter, toolId } = await lentAndCompleted();
    await review(renter, id);

    await publishReviews(service.jobDeps, id, inDays(13.9));
    const early = await visible(toolId);
    await Promise.all([1, 2, 3].map(() => publishReviews(service.jobDeps, id, inDays(14))));

    expect(early).toMatchObject({ stars: [] });
    expect(await visible(toolId)).toMatchObject({ stars: [4], rating: 4 });
    expect(await eventsOf(id)).toEqual(['ReviewAdded']);
  });

  it('publishes the review of the renter if only the owner has written', async () => {
    const { id, owner, renter } = await lentAndCompleted();
    await reviewRenter(owner, id);

    await publishReviews(service.jobDeps, id, inDays(14));

    expect((await service.seen(renter, id)).renterReview).toMatchObject({ care: 5 });
    expect(await eventsOf(id)).toEqual(['RenterReviewAdded']);
  });

  it('is scheduled by the completion, also if a replica of 1.0 completes the booking', async () => {
    const { id, renter, toolId } = await lentAndCompleted();
    await review(renter, id);

    await completeDaysAgo(id, 14);

    await waitFor('the review', async () => (await visible(toolId)).stars.length === 1);
  });

  it('is scheduled again by a review of a completed booking', async () => {
    const { id, renter } = await lentAndCompleted();
    await service.pool.query(`SELECT graphile_worker.remove_job($1)`, [`publish-reviews:${id}`]);

    await review(renter, id);

    const { rows } = await service.pool.query(
      `SELECT abs(extract(epoch FROM run_at - completed_at) - 14 * 86400) < 1 AS "isInTime" FROM graphile_worker.jobs, bookings b
       WHERE key = $1 AND b.id = $2`,
      [`publish-reviews:${id}`, id],
    );
    expect(rows).toEqual([{ isInTime: true }]);
  });

  it('publishes nothing for a booking without reviews, or that is not completed', async () => {
    const { id } = await lentAndCompleted();

    await publishReviews(service.jobDeps, id, inDays(20));
    await service.pool.query(`UPDATE bookings SET completed_at = NULL WHERE id = $1`, [id]);
    await publishReviews(service.jobDeps, id, inDays(20));

    expect(await eventsOf(id)).toEqual([]);
  });
});
