import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type BookingsService, inDays, startBookingsService } from '../../test/bookings-service.ts';

let service: BookingsService;
beforeAll(async () => {
  service = await startBookingsService();
});
afterAll(() => service.stop());

describe('GET /api/admin/stats/bookings', () => {
  it('counts what the list of all bookings has, and the revenue of those not cancelled, each day of them', async () => {
    const admin = await service.person('Admin');
    const ask = (query = '') => service.http.get(`/api/admin/stats/bookings${query}`, admin);
    const before = (await ask()).body;
    const [owner, renter] = [await service.person(), await service.person()];
    const tool = await service.tool({ ownerId: owner.userId, units: 2 });
    await service.booked(renter, tool.toolId);
    const { id } = await service.booked(renter, tool.toolId);
    await service.http.post(`/api/user/${owner.userId}/rentalBookings/cancel-booking/${id}`, {
      ...owner,
      body: {},
    });

    const { body } = await ask('?days=7');

    const list = (await service.http.get('/api/all-bookings', admin)).body;
    expect(body.total).toBe(before.total + 2);
    expect(body.total).toBe(list.total);
    expect(body.revenueCents).toBe(before.revenueCents + 2_500);
    expect(body.days).toHaveLength(7);
    expect(body.days.at(-1)).toEqual({
      day: inDays(0),
      bookings: body.total,
      revenueCents: body.revenueCents,
    });
    expect(body.days[0]).toMatchObject({ day: inDays(-6), bookings: 0, revenueCents: 0 });
    expect((await service.http.get('/api/admin/stats/bookings', renter)).status).toBe(403);
  });
});
