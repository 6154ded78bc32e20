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

const review = (renter: Person, bookingId: string, rating: number, comment: string) =>
  service.http.post(`/api/user/${renter.userId}/reviews/add-review`, {
    ...renter,
    body: { rentalBooking_id: bookingId, rating, comment },
  });

/** Starts at midnight today, so that the rental has begun whenever the test runs. */
const fromToday = { start_date: inDays(0), start_time: '', end_date: inDays(1), end_time: '' };

describe('GET /api/rentalBookings/get-review', () => {
  it('lists the reviews of a tool or a booking in pages, without a login', async () => {
    const renter = await service.person();
    const tool = await service.tool({ units: 2 });
    const first = await service.booked(renter, tool.toolId, fromToday);
    const second = await service.booked(renter, tool.toolId, fromToday);
    await review(renter, first.id, 3, 'First.');
    await review(renter, second.id, 5, '<b>Second</b>');
    const ask = async (query: string) =>
      (await service.http.get(`/api/rentalBookings/get-review?${query}`)).body;

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
