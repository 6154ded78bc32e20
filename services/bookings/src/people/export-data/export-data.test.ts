import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type BookingsService, startBookingsService } from '../../../test/bookings-service.ts';

let bookings: BookingsService;
beforeAll(async () => {
  bookings = await startBookingsService();
});
afterAll(() => bookings.stop());

describe('GET /internal/users/:userId/data-of-bookings', () => {
  it("returns the caller's bookings of both kinds, and what the caller wrote about them", async () => {
    const [owner, renter] = [await bookings.neighbor(), await bookings.neighbor()];
    const { toolId } = await bookings.tool({ ownerId: owner.userId });
    const { id } = await bookings.booked(renter, toolId);
    await bookings.pool.query(
      `INSERT INTO booking_problems (booking_id, kind, reported_by, text) VALUES ($1, 'reported', $2, 'It broke')`,
      [id, renter.userId],
    );
    await bookings.pool.query(
      `INSERT INTO reviews (booking_id, tool_id, user_id, rating, comment) VALUES ($1, $2, $3, 5, 'Strong')`,
      [id, toolId, renter.userId],
    );
    await bookings.pool.query(
      `INSERT INTO renter_reviews (booking_id, renter_id, owner_id, care, punctuality, communication, comment, reply, replied_at)
       VALUES ($1, $2, $3, 5, 4, 3, 'Punctual', 'Thanks', now())`,
      [id, renter.userId, owner.userId],
    );
    const path = ({ userId }: typeof owner) => `/internal/users/${userId}/data-of-bookings`;

    const ofRenter = (await bookings.http.get(path(renter), renter)).body.files;
    const ofOwner = (await bookings.http.get(path(owner), owner)).body.files;

    expect(ofRenter).toMatchObject({
      rentals: [{ id, name: 'Hammer drill' }],
      lendings: [],
      problems: [{ booking_id: id, text: 'It broke' }],
      reviews: [{ booking_id: id, comment: 'Strong' }],
      'reviews-of-renters': [],
      'replies-to-reviews': [{ booking_id: id, reply: 'Thanks' }],
    });
    expect(ofOwner).toMatchObject({
      rentals: [],
      lendings: [{ id }],
      problems: [],
      reviews: [],
      'reviews-of-renters': [{ booking_id: id, comment: 'Punctual' }],
      'replies-to-reviews': [],
    });
    expect((await bookings.http.get(path(renter), owner)).status).toBe(403);
  });
});
