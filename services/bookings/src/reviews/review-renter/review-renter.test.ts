import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type BookingsService, startBookingsService } from '../../../test/bookings-service.ts';
import { reviewsAt } from '../../../test/reviews.ts';

let service: BookingsService;
beforeAll(async () => {
  service = await startBookingsService();
});
afterAll(() => service.stop());

const { review, reviewRenter, completeDaysAgo, lent, lentAndCompleted } = reviewsAt(() => service);

const dayMs = 86_400_000;

describe('POST /api/user/:userId/rentalBookings/review-renter/:id', () => {
  it('adds a review that only its author and admins read until the renter has written', async () => {
    const { id, owner, renter } = await lentAndCompleted();

    const { status, body } = await reviewRenter(owner, id);

    const written = { care: 5, punctuality: 4, communication: 3, comment: 'Came on time.' };
    expect(status).toBe(201);
    expect(body.message).toBe('Thank you for your review.');
    expect(body.rental).toMatchObject({
      renterReview: { ...written, publishedAt: null, reply: null },
      reviews: { byRenter: false, byOwner: true },
    });
    const { completedAt, reviews } = body.rental;
    expect(Date.parse(reviews.closesAt) - Date.parse(completedAt)).toBe(14 * dayMs);
    const admin = await service.person('Admin');
    expect((await service.seen(admin, id)).renterReview).toMatchObject(written);
    expect((await service.seen(renter, id)).renterReview).toBeNull();

    await review(renter, id);

    expect((await service.seen(renter, id)).renterReview).toMatchObject(written);
    const { data } = await service.broker.expectEvent(
      'RenterReviewAdded',
      ({ bookingId }) => bookingId === id,
    );
    expect(data).toMatchObject({ ...written, ownerId: owner.userId, renterId: renter.userId });
  });

  it('changes a review until it appears, and not afterwards', async () => {
    const { id, owner, renter } = await lentAndCompleted();
    await reviewRenter(owner, id);

    const changed = await reviewRenter(owner, id, { care: 1 });
    const before = await service.seen(owner, id);
    await review(renter, id);
    const same = await reviewRenter(owner, id, { care: 1 });
    const late = await reviewRenter(owner, id, { care: 2 });

    expect(changed.body).toMatchObject({
      message: 'Your review is changed.',
      rental: { renterReview: { care: 1 } },
    });
    expect(before.allowedActions).toContain('reviewRenter');
    expect(same.status).toBe(201);
    expect(late).toMatchObject({ status: 409, body: { code: 'REVIEW_CLOSED' } });
    expect((await service.seen(owner, id)).allowedActions).not.toContain('reviewRenter');
  });

  it('rejects a review before the completion, and 14 days after it', async () => {
    const [open, over] = [await lent(), await lent()];
    await completeDaysAgo(over.id, 14);

    expect(await reviewRenter(open.owner, open.id)).toMatchObject({
      status: 409,
      body: { code: 'BOOKING_NOT_ACTIVE' },
    });
    for (const reply of [
      await reviewRenter(over.owner, over.id),
      await review(over.renter, over.id),
    ])
      expect(reply).toMatchObject({ status: 409, body: { code: 'REVIEW_CLOSED' } });
  });

  it('rejects a review by anyone but the owner, and invalid input', async () => {
    const { id, owner, renter } = await lentAndCompleted();

    for (const who of [renter, await service.person(), await service.person('Admin')])
      expect((await reviewRenter(who, id)).status).toBe(404);
    for (const wrong of [{ care: 0 }, { punctuality: 6 }, { communication: '' }, { comment: ' ' }])
      expect((await reviewRenter(owner, id, wrong)).status).toBe(400);
  });
});
