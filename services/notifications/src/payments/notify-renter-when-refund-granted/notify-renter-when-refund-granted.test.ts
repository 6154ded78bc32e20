import { randomUUIDv7 } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EventData } from '@lendtools/contracts';
import { testConsumer } from '../../../test/consumer-tests.ts';
import {
  type NotificationsService,
  startNotificationsService,
} from '../../../test/notifications-service.ts';

const queue = 'notifications.notify-renter-when-refund-granted';

let service: NotificationsService;
beforeAll(async () => {
  service = await startNotificationsService();
});
afterAll(() => service.stop());

const granted = (renterId: string): EventData<'BookingRefundGranted'> => ({
  bookingId: randomUUIDv7(),
  toolId: randomUUIDv7(),
  toolName: 'Cordless drill',
  ownerId: randomUUIDv7(),
  renterId,
  bookingCode: 'LT123456',
  grantId: randomUUIDv7(),
  adminId: randomUUIDv7(),
  reason: 'The battery was flat.',
  refunds: [
    { paymentId: randomUUIDv7(), refundCents: 700 },
    { paymentId: randomUUIDv7(), refundCents: 300 },
  ],
});

describe(queue, () => {
  it('notifies the renter of a refund’s amount and reason, in the app and by email', async () => {
    const renter = await service.addPerson('Rita');
    const grant = granted(renter.id);

    await service.broker.sendNew('BookingRefundGranted', grant);

    const [notice] = await service.expectNotices(renter, 1);
    const email = await service.expectEmail(renter.email, /^\$10\.00 goes back to your card/);
    expect(notice).toMatchObject({
      kind: 'booking-refunded',
      bookingId: grant.bookingId,
      message:
        'LendTools refunds $10.00 of what you paid for Cordless drill. It goes back to your card. ' +
        'The reason: “The battery was flat.”',
    });
    expect(email.text).toContain('The battery was flat.');
    expect(email.text).toContain(`/user/my-rental-history-details?id=${grant.bookingId}`);
  });

  testConsumer(
    queue,
    () => service,
    async (isSynced) => {
      const renter = isSynced ? await service.addPerson('Rita') : await service.addUnsyncedPerson();
      return {
        send: () => service.broker.sendNew('BookingRefundGranted', granted(renter.id)),
        countEffects: () =>
          service.emailsTo(renter.email).filter(({ subject }) => /goes back/.test(subject)).length,
        addMissingData: () => service.addPerson('Rita', { userId: renter.id, email: renter.email }),
      };
    },
  );
});
