import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import {
  type BookingsService,
  inDays,
  type Person,
  startBookingsService,
} from '../../test/bookings-service.ts';
import { reviewsAt } from '../../test/reviews.ts';
import { readBooking } from './booking-view.ts';

let service: BookingsService;
beforeAll(async () => {
  service = await startBookingsService();
});
afterAll(() => service.stop());

/** Starts at midnight today, so that the rental has begun whenever the test runs. */
const begun = { start_date: inDays(0), end_date: inDays(2) };

const pastRental = async (renter: { userId: string; token: string }, ownerId?: string) => {
  const owner = await service.person();
  const { toolId } = await service.tool({ ownerId: ownerId ?? owner.userId });
  const { id } = await service.booked(renter, toolId, begun);
  await service.pool.query(
    `UPDATE bookings SET status = 'returned', returned_at = now() WHERE id = $1`,
    [id],
  );
  return id;
};

describe('the facts about a renter beside a request', () => {
  it('count rentals, cancellations and reviews, for the owner and admins only', async () => {
    const startedMs = Date.now();
    const renter = await service.neighbor({ emailVerified: true });
    const { owner, id } = await service.requested(renter);
    const [first] = [await pastRental(renter, owner.userId), await pastRental(renter)];
    const { toolId } = await service.tool();
    const cancelled = await service.booked(renter, toolId);
    const path = `/api/user/${renter.userId}`;
    await service.http.post(`${path}/rentalBookings/cancel-booking/${cancelled.id}`, {
      ...renter,
      body: {},
    });
    await service.http.post(`${path}/reviews/add-review`, {
      ...renter,
      body: { rentalBooking_id: first, rating: 4, comment: 'Drilled well.' },
    });
    const { completeDaysAgo, reviewRenter } = reviewsAt(() => service);
    await completeDaysAgo(first);
    await reviewRenter(owner, first);

    const [ofOwner, ofAdmin, ofRenter] = [
      await service.seen(owner, id),
      await service.seen(await service.person('Admin'), id),
      await service.seen(renter, id),
    ];
    const list = await service.http.get('/api/rentalBookings/my-bookings?when=open', owner);

    expect(ofOwner.approval.renter).toEqual({
      memberSince: expect.any(String),
      emailVerified: true,
      rentals: 2,
      rentalsOfOwner: 1,
      cancelled: 1,
      reviews: 1,
      meanStars: 4,
      received: 1,
      receivedStars: 4,
    });
    expect(Date.parse(ofOwner.approval.renter.memberSince)).toBeGreaterThanOrEqual(startedMs);
    expect(ofAdmin.approval.renter).toEqual(ofOwner.approval.renter);
    expect(list.body.bookings[0].approval.renter).toEqual(ofOwner.approval.renter);
    expect(ofRenter.approval.renter).toBeNull();
  });

  it('are not read for the renter', async () => {
    const renter = await service.person();
    const { owner, id } = await service.requested(renter);
    const readsFacts = async ({ userId }: Person): Promise<boolean> => {
      const query = jest.spyOn(service.pool, 'query');
      await readBooking(service.pool, id, { userId, role: 'User', accountRole: 'User' });
      const statements = query.mock.calls.map(([text]) => String(text));
      query.mockRestore();
      return statements.some((text) => text.includes('"memberSince"'));
    };

    expect([await readsFacts(owner), await readsFacts(renter)]).toEqual([true, false]);
  });

  it('are gone once the request is answered', async () => {
    const { owner, id, approvalId } = await service.requested(await service.person());

    await service.answer(owner, approvalId, 'decline');

    expect((await service.seen(owner, id)).approval).toMatchObject({
      status: 'declined',
      renter: null,
    });
  });
});
