import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@lendtools/testing';
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

const statusOf = async (holdId: string): Promise<string> =>
  (await service.pool.query('SELECT status FROM holds WHERE id = $1', [holdId])).rows[0].status;

describe('a hold whose time is over', () => {
  it('is freed, told of once, by two replicas together', async () => {
    const replica = await service.start();
    const holds = await Promise.all([1, 2, 3, 4].map(async () => held(await service.person())));

    await Promise.all(holds.map((hold) => setExpiry(hold.id, 1)));
    for (const { id } of holds)
      await service.broker.expectEvent('BookingExpired', (data) => data.holdId === id);
    await replica.stop();

    const told = service.broker.heard.filter(
      (event) =>
        event.type === 'BookingExpired' && holds.some(({ id }) => id === event.data.holdId),
    );
    expect(told).toHaveLength(4);
  });

  it('waits while a payment of it is under way, at the latest 15 minutes', async () => {
    const [waiting, tooLate] = [await service.person(), await service.person()];
    const [first, second] = [await held(waiting), await held(tooLate)];
    await checkout(waiting, first.id);
    await checkout(tooLate, second.id);

    await setExpiry(first.id, 14);
    await setExpiry(second.id, 15);
    await waitFor('the second to end', async () => (await statusOf(second.id)) === 'ended');

    expect(await statusOf(first.id)).toBe('live');
  });
});
