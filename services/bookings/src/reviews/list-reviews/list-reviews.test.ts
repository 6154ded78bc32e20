import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@lendtools/testing';
import { type BookingsService, startBookingsService } from '../../../test/bookings-service.ts';
import { fromToday, reviewsAt } from '../../../test/reviews.ts';

let service: BookingsService;
beforeAll(async () => {
  service = await startBookingsService();
});
afterAll(() => service.stop());

const { review, completeDaysAgo } = reviewsAt(() => service);

describe('GET /api/rentalBookings/get-review', () => {
  it('lists the reviews of a tool or a booking in pages, without a login', async () => {
    const ask = async (query: string) =>
      (await service.http.get(`/api/rentalBookings/get-review?${query}`)).body;
    const renter = await service.person();
    const tool = await service.tool({ units: 2 });
    const first = await service.booked(renter, tool.toolId, fromToday);
    const second = await service.booked(renter, tool.toolId, fromToday);
    await review(renter, first.id, 3, { comment: 'First.' });
    await review(renter, second.id, 5, { comment: '<b>Second</b>' });
    for (const { id } of [first, second]) await completeDaysAgo(id, 14);
    await waitFor('the reviews', async () => (await ask(`rental_id=${tool.toolId}`)).reviews[1]);
    const ofTool = await ask(`rental_id=${tool.toolId}`);
    const ofBooking = await ask(`rentalBooking_id=${first.id}`);
    const page = await ask(`rental_id=${tool.toolId}&limit=1`);
    const next = await ask(`rental_id=${tool.toolId}&limit=1&cursor=${page.nextCursor}`);

    const comments = (body: { reviews: { comment: string }[] }) =>
      body.reviews.map((r) => r.comment);
    expect(comments(ofTool)).toEqual(['<b>Second</b>', 'First.']);
    expect(comments(ofBooking)).toEqual(['First.']);
    expect([...comments(page), ...comments(next)]).toEqual(comments(ofTool));
    expect(next.nextCursor).toBeNull();
    expect([ofTool.counts, next.counts]).toEqual([
      [0, 0, 1, 0, 1],
      [0, 0, 1, 0, 1],
    ]);
    expect(ofBooking.counts).toBeNull();
    expect(comments(await ask(''))).toEqual(expect.arrayContaining(comments(ofTool)));
  });
});
