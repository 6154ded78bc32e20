import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@lendtools/testing';
import {
  type BookingsService,
  inDays,
  startBookingsService,
} from '../../../test/bookings-service.ts';

let service: BookingsService;
beforeAll(async () => {
  service = await startBookingsService();
});
afterAll(() => service.stop());

describe('GET /api/admin/stats/bookings', () => {
  it('counts all bookings and sums the revenue of those not cancelled, in total and per day', async () => {
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

  it('includes in the revenue what cancellations left to the owners, less refunds at Stripe', async () => {
    const admin = await service.person('Admin');
    const revenue = async () =>
      (await service.http.get('/api/admin/stats/bookings', admin)).body.revenueCents;
    const before = await revenue();
    const renter = await service.person();
    const soon = { start_date: inDays(2), end_date: inDays(4) };
    const ids: string[] = [];
    for (const refundedCents of [0, 2_000]) {
      const tool = await service.tool({ terms: { cancellation: 'strict' } });
      const { id, payment } = await service.booked(renter, tool.toolId, soon);
      // Backdate the booking: a cancellation soon after booking refunds everything.
      await service.pool.query(
        `UPDATE bookings SET booked_at = now() - interval '1 day' WHERE id = $1`,
        [id],
      );
      const path = `/api/user/${renter.userId}/rentalBookings/cancel-booking/${id}`;
      await service.http.post(path, { ...renter, body: {} });
      ids.push(id);
      if (refundedCents === 0) continue;
      await service.refundAtStripe(payment, { cents: refundedCents });
      await waitFor('the refund', async () => {
        const { rows } = await service.pool.query(
          'SELECT FROM payments WHERE id = $1 AND outside_cents > 0',
          [payment.paymentId],
        );
        return rows.length > 0;
      });
    }

    const { rows } = await service.pool.query(
      'SELECT returnable_cents AS cents FROM allocations WHERE booking_id = ANY($1) ORDER BY 1',
      [ids],
    );
    const [less, more] = rows.map(({ cents }) => cents);
    expect(less).toBeLessThan(more);
    expect(await revenue()).toBe(before + less + more);
  });
});
