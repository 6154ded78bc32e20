import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EventData } from '@lendtools/contracts';
import { bookingCreated } from '@lendtools/testing';
import { testConsumer } from '../../../test/consumer-tests.ts';
import {
  type NotificationsService,
  startNotificationsService,
  type TestPerson,
} from '../../../test/notifications-service.ts';

const queue = 'notifications.notify-renter-when-booking-returned';

let service: NotificationsService;
beforeAll(async () => {
  service = await startNotificationsService();
});
afterAll(() => service.stop());

const returned = (owner: TestPerson, renter: TestPerson): EventData<'BookingReturned'> => {
  const { bookingId, toolId, toolName } = bookingCreated();
  return { bookingId, toolId, toolName, ownerId: owner.id, renterId: renter.id, quantity: 1 };
};

describe(queue, () => {
  it('thanks the renter for the return', async () => {
    const owner = await service.addPerson('Olga');
    const renter = await service.addPerson('Rita');

    await service.broker.sendNew('BookingReturned', returned(owner, renter));

    const [notice] = await service.expectNotices(renter, 1);
    const email = await service.expectEmail(renter.email, /is back/);
    expect(notice).toMatchObject({
      kind: 'booking-returned',
      message: 'Cordless drill is back with its owner. Thank you! How was it?',
    });
    expect(email.text).toContain('Olga has Cordless drill back.');
    expect(await service.noticesOf(owner)).toEqual([]);
  });

  testConsumer(
    queue,
    () => service,
    async (isSynced) => {
      const owner = await service.addPerson('Olga');
      const renter = isSynced ? await service.addPerson('Rita') : await service.addUnsyncedPerson();
      return {
        send: () => service.broker.sendNew('BookingReturned', returned(owner, renter)),
        countEffects: () =>
          service.emailsTo(renter.email).filter(({ subject }) => /is back/.test(subject)).length,
        addMissingData: () => service.addPerson('Rita', { userId: renter.id, email: renter.email }),
      };
    },
  );
});
