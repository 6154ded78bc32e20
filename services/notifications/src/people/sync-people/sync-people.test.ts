import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { armFault } from '@lendtools/service-kit';
import { accountRegistered, bookingCreated, waitFor } from '@lendtools/testing';
import {
  type NotificationsService,
  startNotificationsService,
} from '../../../test/notifications-service.ts';

const queue = 'notifications.sync-people';

let service: NotificationsService;
let userId: string;
beforeAll(async () => {
  service = await startNotificationsService();
  userId = (await service.addPerson('Rita')).id;
});
afterAll(() => service.stop());

const move = (email: string, version: number) =>
  service.broker.sendNew('AccountUpdated', accountRegistered({ userId, email }), {
    id: userId,
    version,
  });

/** Waits for an email about a booking: it shows that the service has stored the address. */
const expectMailAt = (email: string) =>
  waitFor(`email to ${email}`, async () => {
    const owner = await service.addPerson('Olga');
    const parties = { ownerId: owner.id, renterId: userId };
    await service.broker.sendNew('BookingCreated', bookingCreated(parties));
    await service.expectEmail(owner.email, /just been booked/);
    return service.emailsTo(email).length > 0;
  });

describe(queue, () => {
  it("sends emails to a user's new address", async () => {
    await move('second@example.com', 2);

    await expectMailAt('second@example.com');
  });

  it('keeps the newest version of a person when events are repeated or late', async () => {
    const newest = await move('ninth@example.com', 9);
    await expectMailAt('ninth@example.com');

    await move('eighth@example.com', 8);
    await service.broker.send(newest);
    await move('tenth@example.com', 10);
    await expectMailAt('tenth@example.com');

    expect(service.emailsTo('eighth@example.com')).toEqual([]);
  });

  it('handles later events after a lost acknowledgement', async () => {
    armFault('consumer.beforeAck:1:throw');

    await move('eleventh@example.com', 11);

    await expectMailAt('eleventh@example.com');
    expect(await service.broker.countDead(queue)).toBe(0);
  });

  it('dead-letters an unreadable message and continues', async () => {
    await service.broker.sendRaw(queue, 'nonsense');
    await move('twelfth@example.com', 12);

    await expectMailAt('twelfth@example.com');
    await waitFor('the dead letter', async () => (await service.broker.countDead(queue)) === 1);
  });
});
