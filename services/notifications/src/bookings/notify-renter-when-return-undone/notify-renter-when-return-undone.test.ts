import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bookingCreated } from '@lendtools/testing';
import { testConsumer } from '../../../test/consumer-tests.ts';
import {
  type NotificationsService,
  startNotificationsService,
} from '../../../test/notifications-service.ts';

const queue = 'notifications.notify-renter-when-return-undone';

let service: NotificationsService;
beforeAll(async () => {
  service = await startNotificationsService();
});
afterAll(() => service.stop());

const undone = (ownerId: string, renterId: string) => {
  const { bookingId, toolId, toolName } = bookingCreated();
  return { bookingId, toolId, toolName, ownerId, renterId, quantity: 1 };
};

describe(queue, () => {
  it('corrects the earlier notice of the return', async () => {
    const owner = await service.addPerson('Olga');
    const renter = await service.addPerson('Rita');

    await service.broker.sendNew('BookingReturnUndone', undone(owner.id, renter.id));

    const [notice] = await service.expectNotices(renter, 1);
    expect(notice).toMatchObject({
      kind: 'booking-returned',
      message:
        'Cordless drill was confirmed as returned by mistake. Olga doesn’t have it back yet.',
    });
    expect(await service.noticesOf(owner)).toEqual([]);
    await service.expectEmail(renter.email, /^Cordless drill is not back yet$/);
  });

  testConsumer(
    queue,
    () => service,
    async (isSynced) => {
      const renter = await service.addPerson('Rita');
      const owner = isSynced ? await service.addPerson('Olga') : await service.addUnsyncedPerson();
      return {
        send: () => service.broker.sendNew('BookingReturnUndone', undone(owner.id, renter.id)),
        countEffects: async () => (await service.noticesOf(renter)).length,
        addMissingData: () => service.addPerson('Olga', { userId: owner.id }),
      };
    },
  );
});
