import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type BookingsService, startBookingsService } from '../../../test/bookings-service.ts';

let service: BookingsService;
beforeAll(async () => {
  service = await startBookingsService();
});
afterAll(() => service.stop());

describe('DELETE /api/user/:userId/holds/:holdId', () => {
  it('frees the dates of a hold at once, and is a no-op the second time', async () => {
    const renter = await service.person();
    const lines = [service.line((await service.tool()).toolId)];
    const { body } = await service.postHold(renter, lines);
    const path = `/api/user/${renter.userId}/holds/${body.hold.id}`;

    const replies = [
      await service.http.delete(path, renter),
      await service.http.delete(path, renter),
    ];
    const next = await service.postHold(await service.person(), lines);

    expect(replies.map((reply) => reply.status)).toEqual([200, 200]);
    expect(next.status).toBe(201);
    await service.broker.expectEvent('BookingExpired', (data) => data.holdId === body.hold.id);
    const expired = service.broker.received.filter((event) => event.type === 'BookingExpired');
    expect(expired).toHaveLength(1);
  });

  it('rejects a paid hold, and returns 404 for another person’s hold', async () => {
    const [renter, other] = [await service.person(), await service.person()];
    const { id } = await service.booked(renter, (await service.tool()).toolId);
    const { rows } = await service.pool.query('SELECT hold_id FROM bookings WHERE id = $1', [id]);
    const ask = (person: typeof renter, holdId: string) =>
      service.http.delete(`/api/user/${person.userId}/holds/${holdId}`, person);

    expect(await ask(renter, rows[0].hold_id)).toMatchObject({
      status: 409,
      body: { code: 'HOLD_PAID' },
    });
    expect(await ask(other, rows[0].hold_id)).toMatchObject({
      status: 404,
      body: { code: 'HOLD_NOT_FOUND' },
    });
    expect((await ask(renter, randomUUID())).status).toBe(404);
  });
});
