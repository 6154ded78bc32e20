import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type BookingsService,
  type Person,
  startBookingsService,
} from '../../test/bookings-service.ts';

let service: BookingsService;
beforeAll(async () => {
  service = await startBookingsService();
});
afterAll(() => service.stop());

const checkout = (renter: Person, holdId: string) =>
  service.http.post(`/internal/holds/${holdId}/checkout`, renter);

const held = async (renter: Person) => {
  const { body } = await service.askHold(renter, [service.line((await service.tool()).toolId)]);
  return body.hold as { id: string; amount: number; expiresAt: string };
};

const setExpiry = (holdId: string, minutesAgo: number) =>
  service.pool.query(
    `UPDATE holds SET expires_at = now() - $2 * interval '1 minute' WHERE id = $1`,
    [holdId, minutesAgo],
  );

describe('POST /internal/holds/:holdId/checkout', () => {
  it('says what the hold costs, to its person alone', async () => {
    const [renter, other] = [await service.person(), await service.person()];
    const hold = await held(renter);

    const replies = [await checkout(renter, hold.id), await checkout(renter, hold.id)];

    for (const reply of replies) {
      expect(reply).toMatchObject({ status: 200 });
      expect(reply.body).toEqual({
        amount: 2_500,
        currency: 'usd',
        expiresAt: hold.expiresAt,
        userId: renter.userId,
      });
    }
    expect((await checkout(other, hold.id)).status).toBe(403);
    expect((await checkout(renter, randomUUID())).body.code).toBe('HOLD_NOT_FOUND');
    expect((await service.http.post(`/internal/holds/${hold.id}/checkout`)).status).toBe(401);
  });

  it('refuses a hold that is over or paid', async () => {
    const renter = await service.person();
    const [late, given] = [await held(renter), await held(renter)];
    await setExpiry(late.id, 0);
    await service.http.delete(`/api/user/${renter.userId}/holds/${given.id}`, renter);
    const { id } = await service.booked(renter, (await service.tool()).toolId);
    const { rows } = await service.pool.query('SELECT hold_id FROM bookings WHERE id = $1', [id]);

    expect((await checkout(renter, late.id)).body).toMatchObject({
      status: 409,
      code: 'HOLD_EXPIRED',
    });
    expect((await checkout(renter, given.id)).body).toMatchObject({
      status: 409,
      code: 'HOLD_EXPIRED',
    });
    expect((await checkout(renter, rows[0].hold_id)).body).toMatchObject({
      status: 409,
      code: 'HOLD_PAID',
    });
  });
});
