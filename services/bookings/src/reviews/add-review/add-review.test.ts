import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@lendtools/testing';
import { type BookingsService, startBookingsService } from '../../../test/bookings-service.ts';
import { fromToday, reviewsAt } from '../../../test/reviews.ts';
import { publishReviews } from '../publish-reviews/publish-reviews.ts';

let service: BookingsService;
beforeAll(async () => {
  service = await startBookingsService();
});
afterAll(() => service.stop());

const { review, reviewRenter, completeDaysAgo, lent, lentAndCompleted, reviewsOf, visible } =
  reviewsAt(() => service);

const eventsOf = (toolId: string) =>
  service.broker.received.filter(
    (event) => event.type === 'ReviewAdded' && event.data.toolId === toolId,
  );

const nothing = { stars: [], counts: [0, 0, 0, 0, 0], rating: 0 };

describe('POST /api/user/:userId/reviews/add-review', () => {
  it('adds a review on the first day of the rental, which only its author and admins read', async () => {
    const { id, owner, renter, toolId } = await lent();

    const { status, body } = await review(renter, id, '4', { ownerRating: 5 });

    expect(status).toBe(201);
    expect(body).toEqual({
      message: 'Thank you for your review.',
      review: {
        id: expect.any(String),
        comment: 'Drilled well.',
        rating: 4,
        ownerRating: 5,
        rental_id: toolId,
        rentalBookings: { id },
        user: {
          id: renter.userId,
          first_name: 'Ray',
          last_name: 'R.',
          city: 'Evanston',
          image: 'null',
        },
        createdAt: expect.any(String),
        publishedAt: null,
        reply: null,
      },
    });
    const query = `rentalBooking_id=${id}`;
    const readers = [renter, await service.person('Admin'), owner, {}];
    const read = await Promise.all(readers.map((reader) => reviewsOf(query, reader)));
    expect(read.map(({ reviews }) => reviews.length)).toEqual([1, 1, 0, 0]);
    expect(await visible(toolId)).toEqual(nothing);
    expect([await service.seen(renter, id), await service.seen(owner, id)]).toMatchObject([
      { rating: 4, reviews: { byRenter: true, byOwner: false, closesAt: null } },
      { rating: 0, reviews: { byRenter: true, byOwner: false } },
    ]);
    expect(eventsOf(toolId)).toEqual([]);
  });

  it('publishes the review and the sums of the tool once the owner has written as well', async () => {
    const { id, owner, renter, toolId } = await lentAndCompleted();
    await reviewRenter(owner, id);
    expect(await service.seen(renter, id)).toMatchObject({ renterReview: null });

    const { body } = await review(renter, id, 4);

    expect(body.review.publishedAt).toEqual(expect.any(String));
    expect(await visible(toolId)).toEqual({ stars: [4], counts: [0, 0, 0, 1, 0], rating: 4 });
    const event = await service.broker.expectEvent('ReviewAdded', (data) => data.bookingId === id);
    expect(event).toMatchObject({
      aggregateId: toolId,
      version: 1,
      data: { rating: 4, changed: false, toolRatingCount: 1, toolRatingSum: 4 },
    });
    expect(await service.seen(owner, id)).toMatchObject({ rating: 4 });
    expect((await service.seen(renter, id)).renterReview).toMatchObject({ care: 5 });
  });

  it('changes a review until it appears, ignores an identical one, and rejects later changes', async () => {
    const { id, owner, renter, toolId } = await lentAndCompleted();

    const first = await review(renter, id, 2, { ownerRating: 3 });
    const changed = await review(renter, id, 4);
    await reviewRenter(owner, id);
    const same = await review(renter, id, 4);
    const late = await review(renter, id, 1);

    expect([first.body.message, changed.body.message]).toEqual([
      'Thank you for your review.',
      'Your review is changed.',
    ]);
    expect(changed.body.review).toMatchObject({ rating: 4, ownerRating: 3 });
    expect([same.status, same.body.review.rating]).toEqual([201, 4]);
    expect(late).toMatchObject({ status: 409, body: { code: 'REVIEW_CLOSED' } });
    expect(await visible(toolId)).toMatchObject({ stars: [4] });
    await service.broker.expectEvent('ReviewAdded', (data) => data.bookingId === id);
    expect(eventsOf(toolId)).toHaveLength(1);
  });

  it('publishes both reviews once when both parties write at the same time', async () => {
    const bookings = await Promise.all(Array.from({ length: 5 }, lentAndCompleted));

    await Promise.all(
      bookings.flatMap(({ id, owner, renter }) => [review(renter, id), reviewRenter(owner, id)]),
    );

    for (const { id, toolId } of bookings) {
      await service.broker.expectEvent('ReviewAdded', (data) => data.bookingId === id);
      await service.broker.expectEvent('RenterReviewAdded', (data) => data.bookingId === id);
      const { rows } = await service.pool.query(
        `SELECT type FROM outbox_messages WHERE envelope->'data'->>'bookingId' = $1 AND type LIKE '%ReviewAdded'`,
        [id],
      );
      expect(rows).toHaveLength(2);
      expect(await visible(toolId)).toMatchObject({ stars: [4] });
    }
  });

  it('keeps the rating sums correct when reviews of a tool appear at the same time', async () => {
    const owner = await service.person();
    const tool = await service.tool({ units: 5, ownerId: owner.userId });
    const stars = [1, 2, 3, 4, 5];
    const ids = await Promise.all(
      stars.map(async (rating) => {
        const renter = await service.person();
        const { id } = await service.booked(renter, tool.toolId, fromToday);
        await review(renter, id, rating);
        await completeDaysAgo(id);
        return id;
      }),
    );

    await Promise.all(ids.map((id) => reviewRenter(owner, id)));

    const last = await service.broker.expectEvent(
      'ReviewAdded',
      (data) => data.toolId === tool.toolId && data.toolRatingCount === 5,
    );
    expect(last).toMatchObject({ version: 5, data: { toolRatingSum: 15 } });
  });

  it('hides a review that has not appeared from an admin who owns the tool', async () => {
    const [admin, renter] = [await service.person('Admin'), await service.person()];
    const { toolId } = await service.tool({ ownerId: admin.userId });
    const { id } = await service.booked(renter, toolId, fromToday);
    await review(renter, id);

    expect((await reviewsOf(`rentalBooking_id=${id}`, admin)).reviews).toEqual([]);
    expect((await service.seen(admin, id)).rating).toBe(0);
  });

  it('rejects a review that waits for the booking’s lock until the time is over', async () => {
    const { id, owner, renter } = await lentAndCompleted();
    const client = await service.pool.connect();
    await client.query('BEGIN');
    await client.query('SELECT FROM bookings WHERE id = $1 FOR UPDATE', [id]);
    const late = [review(renter, id), reviewRenter(owner, id)];
    await waitFor('both calls to wait', async () => {
      const { rows } = await service.pool.query(
        `SELECT count(*)::int FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return rows[0].count >= 2;
    });

    // The time is over now, but was not when their transactions began.
    await client.query(
      `UPDATE bookings SET completed_at = at, reviewable_from = at FROM (SELECT clock_timestamp() - interval '14 days' AS at)
       WHERE id = $1`,
      [id],
    );
    await client.query('COMMIT');
    client.release();

    for (const { status, body } of await Promise.all(late))
      expect([status, body.code]).toEqual([409, 'REVIEW_CLOSED']);
  });

  it('accepts the first review of a booking that was completed long before reviews of both sides', async () => {
    const { id, renter, toolId } = await lent();
    await service.pool.query(
      `UPDATE bookings SET status = 'completed', completed_at = now() - interval '1 year' WHERE id = $1`,
      [id],
    );

    expect((await review(renter, id)).status).toBe(201);

    await service.pool.query(
      `UPDATE bookings SET reviewable_from = reviewable_from - interval '14 days' WHERE id = $1`,
      [id],
    );
    await publishReviews(service.jobDeps, id);
    expect(await visible(toolId)).toMatchObject({ stars: [4] });
  });

  it('counts a review that a replica of 1.0 adds at once', async () => {
    const { id, renter, toolId } = await lent();

    await service.pool.query(
      `INSERT INTO reviews (booking_id, tool_id, user_id, rating, comment) VALUES ($1, $2, $3, 5, 'Fine.')`,
      [id, toolId, renter.userId],
    );

    expect(await visible(toolId)).toMatchObject({ stars: [5], rating: 5 });
  });

  it('lets no replica of 1.0 change a review that has appeared', async () => {
    const { id, owner, renter, toolId } = await lentAndCompleted();
    await review(renter, id);
    const change = () =>
      service.pool.query('UPDATE reviews SET rating = 1 + rating % 5 WHERE booking_id = $1', [id]);
    await change();
    await reviewRenter(owner, id);

    await expect(change()).rejects.toThrow('has appeared');

    expect(await visible(toolId)).toMatchObject({ stars: [5] });
    await service.pool.query('DELETE FROM reviews WHERE booking_id = $1', [id]);
    expect((await visible(toolId)).stars).toEqual([]);
  });

  it('shows a deleted author as such, and no initial of an empty last name', async () => {
    const { id, renter } = await lent();
    await review(renter, id);
    const nameAfter = async (firstName: string, lastName: string) => {
      await service.pool.query('UPDATE people SET first_name = $2, last_name = $3 WHERE id = $1', [
        renter.userId,
        firstName,
        lastName,
      ]);
      const { reviews } = await reviewsOf(`rentalBooking_id=${id}`, renter);
      return reviews[0].user.last_name;
    };

    expect([await nameAfter('Deleted', 'user'), await nameAfter('Ray', '')]).toEqual(['user', '']);
  });

  it('rejects a review before the start', async () => {
    const { toolId } = await service.tool();
    const renter = await service.person();
    const { id } = await service.booked(renter, toolId);

    const early = await review(renter, id, 5);

    expect(early).toMatchObject({ status: 409, body: { code: 'BOOKING_NOT_STARTED' } });
  });

  it('rejects a review of another renter’s booking, a draft or a cancelled booking, and invalid input', async () => {
    const [owner, renter] = [await service.person(), await service.person()];
    const { toolId } = await service.tool({ ownerId: owner.userId, units: 2 });
    const { id } = await service.booked(renter, toolId, fromToday);
    const draft = await service.postHold(renter, [service.line(toolId, fromToday)]);

    expect((await review(owner, id, 5)).status).toBe(404);
    expect((await review(renter, draft.body.hold.lines[0].id, 5)).status).toBe(404);
    for (const rating of [0, 6, 2.5, 'many'])
      expect((await review(renter, id, rating)).status).toBe(400);
    for (const comment of ['  ', 'a\u0000b', 'half \ud83d', 'x'.repeat(2_001)])
      expect((await review(renter, id, 5, { comment })).status).toBe(400);
    for (const ownerRating of [0, 6, 'good'])
      expect((await review(renter, id, 5, { ownerRating })).status).toBe(400);
    await service.http.post(`/api/user/${owner.userId}/rentalBookings/cancel-booking/${id}`, {
      ...owner,
      body: {},
    });
    expect(await review(renter, id, 5)).toMatchObject({
      status: 409,
      body: { code: 'BOOKING_NOT_ACTIVE' },
    });
  });
});
