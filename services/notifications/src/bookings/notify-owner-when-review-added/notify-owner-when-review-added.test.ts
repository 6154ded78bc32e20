import { randomUUIDv7 } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EventData } from '@lendtools/contracts';
import { bookingCreated } from '@lendtools/testing';
import { testConsumer } from '../../../test/consumer-tests.ts';
import {
  type NotificationsService,
  startNotificationsService,
} from '../../../test/notifications-service.ts';

const queue = 'notifications.notify-owner-when-review-added';

let service: NotificationsService;
beforeAll(async () => {
  service = await startNotificationsService();
});
afterAll(() => service.stop());

const reviewed = (
  ownerId: string,
  renterId: string,
  overrides: Partial<EventData<'ReviewAdded'>> = {},
): EventData<'ReviewAdded'> => {
  const { bookingId, toolId, toolName } = bookingCreated();
  const parties = { bookingId, toolId, toolName, ownerId, renterId };
  const sums = { toolRatingCount: 1, toolRatingSum: 5 };
  const review = { reviewId: randomUUIDv7(), rating: 5, comment: 'Strong\nand light.' };
  return { ...parties, ...review, ...sums, changed: false, ...overrides };
};

describe(queue, () => {
  it('sends the owner a notice with the stars and the comment', async () => {
    const owner = await service.addUnsyncedPerson();
    const renter = await service.addPerson('Rita');

    await service.broker.sendNew('ReviewAdded', reviewed(owner.id, renter.id));
    const changed = { changed: true, rating: 1 };
    await service.expectNotices(owner, 1);
    await service.broker.sendNew('ReviewAdded', reviewed(owner.id, renter.id, changed));

    const notices = await service.expectNotices(owner, 2);
    expect(notices.map(({ message }) => message)).toEqual([
      'Rita now gives Cordless drill 1 star: “Strong and light.”',
      'Rita gave Cordless drill 5 stars: “Strong and light.”',
    ]);
  });

  testConsumer(
    queue,
    () => service,
    async (isSynced) => {
      const owner = await service.addUnsyncedPerson();
      const renter = isSynced ? await service.addPerson('Rita') : await service.addUnsyncedPerson();
      return {
        send: () => service.broker.sendNew('ReviewAdded', reviewed(owner.id, renter.id)),
        countEffects: async () => (await service.noticesOf(owner)).length,
        addMissingData: () => service.addPerson('Rita', { userId: renter.id }),
      };
    },
  );
});
