import { randomUUIDv7 } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EventData } from '@lendtools/contracts';
import { testConsumer } from '../../../test/consumer-tests.ts';
import {
  type NotificationsService,
  startNotificationsService,
  type TestPerson,
} from '../../../test/notifications-service.ts';

const queue = 'notifications.notify-parties-when-booking-completed';

let service: NotificationsService;
beforeAll(async () => {
  service = await startNotificationsService();
});
afterAll(() => service.stop());

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

const completed = (
  owner: TestPerson,
  renter: TestPerson,
  overrides: Partial<EventData<'BookingCompleted'>> = {},
): EventData<'BookingCompleted'> => ({
  bookingId: randomUUIDv7(),
  toolId: randomUUIDv7(),
  toolName: 'Cordless drill',
  ownerId: owner.id,
  renterId: renter.id,
  bookingCode: 'LT123456',
  quantity: 1,
  endsAt: daysAgo(2),
  returnedAt: null,
  ...overrides,
});

describe(queue, () => {
  it('notifies both parties if the return was not confirmed', async () => {
    const [owner, renter] = [await service.addPerson('Olga'), await service.addPerson('Rita')];

    await service.broker.sendNew('BookingCompleted', completed(owner, renter));

    const [forOwner] = await service.expectNotices(owner, 1);
    const [forRenter] = await service.expectNotices(renter, 1);
    expect(forOwner).toMatchObject({
      kind: 'booking-completed',
      message:
        'The rental of your Cordless drill is completed. You haven’t confirmed its return: please do, if you have it back.',
    });
    expect(forRenter?.message).toBe(
      'The rental of Cordless drill is completed. Thank you! How was it?',
    );
  });

  it('sends no notice for a booking whose return was confirmed', async () => {
    const [owner, renter] = [await service.addPerson('Olga'), await service.addPerson('Rita')];
    const returned = { returnedAt: daysAgo(2) };

    await service.broker.sendNew('BookingCompleted', completed(owner, renter, returned));
    await service.broker.sendNew('BookingCompleted', completed(owner, renter));

    expect(await service.expectNotices(owner, 1)).toHaveLength(1);
    expect(await service.expectNotices(renter, 1)).toHaveLength(1);
  });

  testConsumer(
    queue,
    () => service,
    async () => {
      const [owner, renter] = [await service.addPerson('Olga'), await service.addPerson('Rita')];
      return {
        send: () => service.broker.sendNew('BookingCompleted', completed(owner, renter)),
        countEffects: async () => (await service.noticesOf(owner)).length,
      };
    },
  );
});
