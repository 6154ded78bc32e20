import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newEvent } from '@lendtools/event-bus';
import { accountRegistered, waitFor } from '@lendtools/testing';
import {
  type BookingsService,
  failFirstWrites,
  startBookingsService,
} from '../../../test/bookings-service.ts';

const queue = 'bookings.sync-people';
let service: BookingsService;
beforeAll(async () => {
  service = await startBookingsService();
});
afterAll(() => service.stop());

const profile = (userId: string, firstName: string) => accountRegistered({ userId, firstName });
const nameOf = async (userId: string): Promise<string | undefined> =>
  (await service.pool.query('SELECT first_name FROM people WHERE id = $1', [userId])).rows[0]
    ?.first_name;
const update = (userId: string, firstName: string, version: number) =>
  service.broker.sendNew('AccountUpdated', profile(userId, firstName), { id: userId, version });

describe('sync-people', () => {
  it('keeps a user’s newest profile when events come late or twice', async () => {
    const { userId } = await service.neighbor({ firstName: 'Sam' });
    const third = newEvent('AccountUpdated', { id: userId, version: 3 }, profile(userId, 'Sammy'));

    await service.broker.send(third);
    await service.broker.send(third);
    await update(userId, 'Samuel', 2);
    await service.neighbor();

    expect(await nameOf(userId)).toBe('Sammy');
  });

  it('accepts an update of a profile before its registration', async () => {
    const { userId } = await service.person();

    await update(userId, 'Zoe', 2);
    await waitFor('the update', async () => (await nameOf(userId)) === 'Zoe');
    await service.broker.sendNew('AccountRegistered', profile(userId, 'Old'), {
      id: userId,
      version: 1,
    });
    await service.neighbor();

    expect(await nameOf(userId)).toBe('Zoe');
  });

  it('dead-letters an unreadable message and continues with the next', async () => {
    await service.broker.sendRaw(queue, JSON.stringify({ type: 'AccountRegistered', data: 1 }));

    await service.neighbor();

    await waitFor('the dead letter', async () => (await service.broker.countDead(queue)) === 1);
  });

  it('retries when the database fails briefly', async () => {
    await failFirstWrites(service.pool, 'people', 3);

    const { userId } = await service.neighbor({ firstName: 'Ann' });

    expect(await nameOf(userId)).toBe('Ann');
  });
});
