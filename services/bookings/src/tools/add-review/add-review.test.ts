import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type BookingsService,
  inDays,
  type Person,
  startBookingsService,
} from '../../../test/bookings-service.ts';

let service: BookingsService;
beforeAll(async () => {
  service = await startBookingsService();
});
afterAll(() => service.stop());

const review = (renter: Person, bookingId: string, rating: unknown, comment = 'Drilled well.') =>
  service.http.post(`/api/user/${renter.userId}/reviews/add-review`, {
    ...renter,
    body: {
      rentalBooking_id: bookingId,
      rating,
      comment,
      rental_id: randomUUID(),
      userId: randomUUID(),
    },
  });

/** Starts at midnight today, so that the rental has begun whenever the test runs. */
const fromToday = { start_date: inDays(0), start_time: '', end_date: inDays(1), end_time: '' };

const eventsOf = (toolId: string) =>
  service.broker.received.filter(
    (event) => event.type === 'ReviewAdded' && event.data.toolId === toolId,
  );

describe('POST /api/user/:userId/reviews/add-review', () => {
  it('adds a review on the first day of the rental, and publishes the rating sums of the tool', async () => {
    const renter = await service.neighbor({ firstName: 'Ray', city: 'Evanston' });
    const tool = await service.tool();
    const { id } = await service.booked(renter, tool.toolId, fromToday);

    const { status, body } = await review(renter, id, '4');

    expect(status).toBe(201);
    expect(body).toEqual({
      message: 'Thank you for your review.',
      review: {
        id: expect.any(String),
        comment: 'Drilled well.',
        rating: 4,
        rental_id: tool.toolId,
        rentalBookings: { id },
        user: { first_name: 'Ray', last_name: 'Renter', city: 'Evanston', image: 'null' },
        createdAt: expect.any(String),
      },
    });
    const event = await service.broker.expectEvent('ReviewAdded', (data) => data.bookingId === id);
    expect(event).toMatchObject({
      aggregateId: tool.toolId,
      version: 1,
      data: { rating: 4, changed: false, toolRatingCount: 1, toolRatingSum: 4 },
    });
    const details = await service.http.get(`/api/rentalBookings/${id}/details`, renter);
    expect(details.body.booking.rating).toBe(4);
  });

  it('changes a review that is sent again, and ignores an identical one', async () => {
    const renter = await service.person();
    const tool = await service.tool({ units: 2 });
    const { id } = await service.booked(renter, tool.toolId, fromToday);
    const other = await service.person();
    const second = await service.booked(other, tool.toolId, fromToday);

    await review(renter, id, 2);
    await review(other, second.id, 5);
    const changed = await review(renter, id, 4, 'On reflection, fine.');
    const same = await review(renter, id, 4, 'On reflection, fine.');
    await service.broker.expectEvent(
      'ReviewAdded',
      (data) => data.bookingId === id && data.changed,
    );

    expect(changed.body.message).toBe('Your review is changed.');
    expect(same.body).toEqual(changed.body);
    expect(eventsOf(tool.toolId).map(({ version }) => version)).toEqual([1, 2, 3]);
    expect(eventsOf(tool.toolId).at(-1)?.data).toMatchObject({
      toolRatingCount: 2,
      toolRatingSum: 9,
    });
  });

  it('keeps the rating sums correct under concurrent reviews', async () => {
    const tool = await service.tool({ units: 5 });
    const renters = await Promise.all([1, 2, 3, 4, 5].map(() => service.person()));
    const bookings = await Promise.all(
      renters.map((renter) => service.booked(renter, tool.toolId, fromToday)),
    );

    await Promise.all(renters.map((renter, i) => review(renter, bookings[i]?.id as string, i + 1)));

    const last = await service.broker.expectEvent(
      'ReviewAdded',
      (data) => data.toolId === tool.toolId && data.toolRatingCount === 5,
    );
    expect(last).toMatchObject({ version: 5, data: { toolRatingSum: 15 } });
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
      expect((await review(renter, id, 5, comment)).status).toBe(400);
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
