import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newEvent } from '@lendtools/event-bus';
import { waitFor } from '@lendtools/testing';
import {
  type BookingsService,
  failFirstWrites,
  startBookingsService,
} from '../../../test/bookings-service.ts';
import { fromToday, reviewsAt } from '../../../test/reviews.ts';

const queue = 'bookings.hide-review-when-moderated';

let service: BookingsService;
beforeAll(async () => {
  service = await startBookingsService();
});
afterAll(() => service.stop());

const { review, reviewRenter, completeDaysAgo, lentAndCompleted, visible } = reviewsAt(
  () => service,
);

/** A tool with two reviews, of one and of five stars. */
const reviewedTool = async () => {
  const [owner, renter] = [await service.person(), await service.person()];
  const { toolId } = await service.tool({ units: 2, ownerId: owner.userId });
  const bad = await service.booked(renter, toolId, fromToday);
  const good = await service.booked(renter, toolId, fromToday);
  const { body } = await review(renter, bad.id, 1, { comment: 'Rude words.' });
  await review(renter, good.id, 5);
  for (const { id } of [bad, good]) {
    await completeDaysAgo(id);
    await reviewRenter(owner, id);
  }
  return { renter, toolId, bookingId: bad.id, reviewId: body.review.id as string };
};

const moderation = (contentId: string, version: number, hiddenReason: string | null = 'Rude.') =>
  newEvent(
    'ContentModerated',
    { id: contentId, version },
    { about: 'review', contentId, authorId: randomUUID(), hiddenReason },
  );

const handled = (id: string) =>
  waitFor('the event to be handled', async () => {
    const { rowCount } = await service.pool.query(
      'SELECT FROM inbox_messages WHERE queue = $1 AND event_id = $2',
      [queue, id],
    );
    return rowCount;
  });

const moderate = async (...events: ReturnType<typeof moderation>[]): Promise<void> => {
  for (const event of events) {
    await service.broker.send(event);
    await handled(event.id);
  }
};

const shown = async (toolId: string) => {
  const { body } = await service.http.get(`/api/rentalBookings/get-review?rental_id=${toolId}`);
  const owner = await service.http.get(`/api/rentals/${toolId}/owner`);
  const { rows } = await service.pool.query(
    'SELECT rating_count AS count, rating_sum AS sum FROM tool_ratings WHERE tool_id = $1',
    [toolId],
  );
  const { reviews, counts } = body as { reviews: { rating: number }[]; counts: number[] };
  const { rating, reviewCount } = owner.body.owner;
  return { stars: reviews.map((one) => one.rating), counts, rating, reviewCount, sums: rows[0] };
};

const both = {
  stars: [5, 1],
  counts: [1, 0, 0, 0, 1],
  rating: 3,
  reviewCount: 2,
  sums: { count: 2, sum: 6 },
};
const onlyGood = {
  stars: [5],
  counts: [0, 0, 0, 0, 1],
  rating: 5,
  reviewCount: 1,
  sums: { count: 1, sum: 5 },
};

describe(queue, () => {
  it('hides a review with its stars, and shows it again', async () => {
    const { toolId, reviewId } = await reviewedTool();

    await moderate(moderation(reviewId, 1));
    const hidden = await shown(toolId);
    await moderate(moderation(reviewId, 2, null));

    expect([hidden, await shown(toolId)]).toEqual([onlyGood, both]);
    for (const { count, sum } of [onlyGood.sums, both.sums])
      await service.broker.expectEvent(
        'ReviewWithdrawn',
        (data) =>
          data.toolId === toolId && data.toolRatingCount === count && data.toolRatingSum === sum,
      );
  });

  it('keeps a review hidden that was hidden before it appeared, and publishes no text of it', async () => {
    const { id, owner, renter, toolId } = await lentAndCompleted();
    const { body } = await review(renter, id, 1, { comment: 'Rude words.' });
    const reviewId = body.review.id as string;
    await moderate(moderation(reviewId, 1));
    const edited = await review(renter, id, 4, { comment: 'Still rude.' });

    await reviewRenter(owner, id);
    await service.broker.expectEvent('RenterReviewAdded', (data) => data.bookingId === id);

    expect(edited.body.message).toContain('stays hidden');
    expect(await visible(toolId)).toMatchObject({ stars: [], rating: 0 });
    const texts = service.broker.received.filter(({ type }) => type === 'ReviewAdded');
    expect(JSON.stringify(texts)).not.toContain('Still rude.');
    await moderate(moderation(reviewId, 2, null));
    expect(await visible(toolId)).toMatchObject({ stars: [4], rating: 4 });
  });

  it('hides the review of a renter, and shows it again', async () => {
    const { id, owner, renter } = await lentAndCompleted();
    await review(renter, id);
    const { body } = await reviewRenter(owner, id);
    const reviewId = body.rental.renterReview.id as string;

    await moderate(moderation(reviewId, 1));
    const hidden = await service.seen(renter, id);
    await moderate(moderation(reviewId, 2, null));

    expect(hidden.renterReview).toBeNull();
    expect((await service.seen(renter, id)).renterReview.id).toBe(reviewId);
  });

  it('counts no hidden review although a replica of 1.0 saves or deletes it', async () => {
    const { toolId, bookingId, reviewId } = await reviewedTool();
    await moderate(moderation(reviewId, 1));

    await service.pool.query(
      `INSERT INTO tool_ratings AS t (tool_id, version, rating_count, rating_sum) VALUES ($1, 1, 0, 3)
       ON CONFLICT (tool_id) DO UPDATE SET version = t.version + 1,
         rating_count = t.rating_count + EXCLUDED.rating_count, rating_sum = t.rating_sum + EXCLUDED.rating_sum`,
      [toolId],
    );
    const saved = await shown(toolId);
    await service.pool.query(
      `WITH gone AS (DELETE FROM reviews WHERE booking_id = $1 RETURNING tool_id, rating)
       UPDATE tool_ratings t SET version = t.version + 1, rating_count = t.rating_count - 1,
         rating_sum = t.rating_sum - gone.rating
       FROM gone WHERE t.tool_id = gone.tool_id`,
      [bookingId],
    );

    expect([saved, await shown(toolId)]).toEqual([onlyGood, onlyGood]);
  });

  it('ignores a duplicate, an earlier version that arrives late and unknown reviews', async () => {
    const { toolId, reviewId } = await reviewedTool();
    const event = moderation(reviewId, 2);

    await moderate(event, event, moderation(reviewId, 1, null), moderation(randomUUID(), 1));

    expect(await shown(toolId)).toEqual(onlyGood);
  });

  it('retries after a failure, and dead-letters an unreadable message', async () => {
    const { toolId, reviewId } = await reviewedTool();
    const event = moderation(reviewId, 1);

    await service.broker.sendRaw(queue, '{"type":"Nonsense"}');
    await failFirstWrites(service.pool, 'inbox_messages', 2);
    await moderate(event);

    expect(await shown(toolId)).toEqual(onlyGood);
    await waitFor('the dead letter', async () => (await service.broker.countDead(queue)) === 1);
  });
});

describe('GET /internal/reviews/:id', () => {
  it('shows a review with its author to a user, until it is hidden', async () => {
    const { renter, bookingId, reviewId } = await reviewedTool();
    const path = `/internal/reviews/${reviewId}`;
    const reader = await service.person();

    const seen = await service.http.get(path, reader);
    const visitor = await service.http.get(path);
    await moderate(moderation(reviewId, 1));
    const gone = await service.http.get(path, reader);

    expect(seen.body).toMatchObject({
      content: 'Rude words.',
      authorId: renter.userId,
      bookingId,
    });
    expect(seen.body.title).toMatch(/^Review of .*, 1 of 5 stars$/);
    expect([visitor.status, gone.body.code]).toEqual([401, 'REVIEW_NOT_FOUND']);
  });
});
