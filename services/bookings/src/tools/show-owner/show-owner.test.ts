import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type BookingsService, startBookingsService } from '../../../test/bookings-service.ts';
import { fromToday, reviewsAt } from '../../../test/reviews.ts';

let service: BookingsService;
beforeAll(async () => {
  service = await startBookingsService();
});
afterAll(() => service.stop());

const ask = (toolId: string) => service.http.get(`/api/rentals/${toolId}/owner`);

const { review, reviewRenter, completeDaysAgo } = reviewsAt(() => service);

describe('GET /api/rentals/:id/owner', () => {
  it('shows the owner with the average rating of all their tools, without a login', async () => {
    const [owner, renter] = [await service.neighbor({ firstName: 'Sam' }), await service.person()];
    const [drill, saw] = await Promise.all([
      service.tool({ ownerId: owner.userId }),
      service.tool({ ownerId: owner.userId }),
    ]);
    for (const [tool, rating] of [
      [drill, 5],
      [saw, 4],
    ] as const) {
      const { id } = await service.booked(renter, tool.toolId, fromToday);
      await review(renter, id, rating);
      await completeDaysAgo(id);
      await reviewRenter(owner, id);
    }
    await service.booked(renter, drill.toolId);

    const { status, body } = await ask(saw.toolId);

    expect(status).toBe(200);
    expect(body).toEqual({
      owner: {
        id: owner.userId,
        first_name: 'Sam',
        city: 'Chicago',
        state: 'Illinois',
        image: expect.any(String),
        rating: 4.5,
        reviewCount: 2,
        rentals: 2,
      },
    });
  });

  it('shows zeros for an owner without reviews and bookings, and returns 404 for an unknown tool', async () => {
    const tool = await service.tool();

    expect((await ask(tool.toolId)).body.owner).toMatchObject({
      rating: 0,
      reviewCount: 0,
      rentals: 0,
    });
    expect((await ask(randomUUID())).body.code).toBe('TOOL_NOT_FOUND');
  });
});
