import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type BookingsService, startBookingsService } from '../../../test/bookings-service.ts';

let service: BookingsService;
beforeAll(async () => {
  service = await startBookingsService();
});
afterAll(() => service.stop());

describe('POST /internal/holds/:holdId/checkout', () => {
  it('returns what the hold costs, only to the person who made it', async () => {
    const [renter, other] = [await service.person(), await service.person()];
    const hold = await service.held(renter);

    const replies = [
      await service.checkOut(renter, hold.id),
      await service.checkOut(renter, hold.id),
    ];

    for (const reply of replies) {
      expect(reply).toMatchObject({ status: 200 });
      expect(reply.body).toEqual({
        amountCents: 2_500,
        currency: 'usd',
        onRequest: false,
        expiresAt: hold.expiresAt,
        userId: renter.userId,
        otherHoldIds: [],
      });
    }
    expect((await service.checkOut(other, hold.id)).status).toBe(403);
    expect((await service.checkOut(renter, randomUUID())).body.code).toBe('HOLD_NOT_FOUND');
    expect((await service.http.post(`/internal/holds/${hold.id}/checkout`)).status).toBe(401);
  });

  it('rejects a hold that has ended or is paid', async () => {
    const renter = await service.person();
    const [late, given] = [await service.held(renter), await service.held(renter)];
    await service.setExpiry(late.id, 0);
    await service.http.delete(`/api/user/${renter.userId}/holds/${given.id}`, renter);
    const { id } = await service.booked(renter, (await service.tool()).toolId);
    const { rows } = await service.pool.query('SELECT hold_id FROM bookings WHERE id = $1', [id]);

    expect((await service.checkOut(renter, late.id)).body).toMatchObject({
      status: 409,
      code: 'HOLD_EXPIRED',
    });
    expect((await service.checkOut(renter, given.id)).body).toMatchObject({
      status: 409,
      code: 'HOLD_EXPIRED',
    });
    expect((await service.checkOut(renter, rows[0].hold_id)).body).toMatchObject({
      status: 409,
      code: 'HOLD_PAID',
    });
  });
});
