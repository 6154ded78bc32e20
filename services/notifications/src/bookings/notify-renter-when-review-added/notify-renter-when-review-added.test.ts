import { randomUUIDv7 } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EventData } from '@lendtools/contracts';
import { bookingCreated } from '@lendtools/testing';
import { testConsumer } from '../../../test/consumer-tests.ts';
import {
  type NotificationsService,
  startNotificationsService,
} from '../../../test/notifications-service.ts';

const queue = 'notifications.notify-renter-when-review-added';

let service: NotificationsService;
beforeAll(async () => {
  service = await startNotificationsService();
});
afterAll(() => service.stop());

const reviewed = (ownerId: string, renterId: string): EventData<'RenterReviewAdded'> => {
  const { bookingId, toolId, toolName } = bookingCreated();
  const stars = { care: 5, punctuality: 4, communication: 3 };
  const review = { reviewId: randomUUIDv7(), ...stars, comment: 'Clean\nand on time.' };
  return { bookingId, toolId, toolName, ownerId, renterId, ...review };
};

describe(queue, () => {
  it('sends the renter a notice with the stars and the comment', async () => {
    const owner = await service.addPerson('Olga');
    const renter = await service.addUnsyncedPerson();
    const data = reviewed(owner.id, renter.id);

    await service.broker.sendNew('RenterReviewAdded', data);

    expect(await service.expectNotices(renter, 1)).toMatchObject([
      {
        kind: 'review',
        bookingId: data.bookingId,
        message:
          'Olga reviewed you as the renter of Cordless drill, care 5, punctuality 4 and communication 3 of 5: “Clean and on time.”',
      },
    ]);
  });

  testConsumer(
    queue,
    () => service,
    async (isSynced) => {
      const renter = await service.addUnsyncedPerson();
      const owner = isSynced ? await service.addPerson('Olga') : await service.addUnsyncedPerson();
      return {
        send: () => service.broker.sendNew('RenterReviewAdded', reviewed(owner.id, renter.id)),
        countEffects: async () => (await service.noticesOf(renter)).length,
        addMissingData: () => service.addPerson('Olga', { userId: owner.id }),
      };
    },
  );
});
