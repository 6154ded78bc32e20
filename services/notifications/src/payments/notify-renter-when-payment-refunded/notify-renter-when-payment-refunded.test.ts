import { randomUUIDv7 } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EventData } from '@lendtools/contracts';
import { testConsumer } from '../../../test/consumer-tests.ts';
import {
  type NotificationsService,
  startNotificationsService,
} from '../../../test/notifications-service.ts';

const queue = 'notifications.notify-renter-when-payment-refunded';

let service: NotificationsService;
beforeAll(async () => {
  service = await startNotificationsService();
});
afterAll(() => service.stop());

const refunded = (
  userId: string,
  overrides: Partial<EventData<'PaymentRefunded'>> = {},
): EventData<'PaymentRefunded'> => ({
  paymentId: randomUUIDv7(),
  userId,
  holdId: null,
  refundId: 're_1',
  refundCents: 4_800,
  reason: 'slot-lost',
  bookingId: null,
  toolNames: ['Cordless drill'],
  ...overrides,
});

describe(queue, () => {
  it.each([
    [
      'slot-lost',
      ['Cordless drill', 'Ladder'],
      'Your dates for Cordless drill and Ladder were no longer available when your payment arrived.',
    ],
    [
      'unassigned',
      ['Cordless drill'],
      'Your payment came too late, so nothing was booked or changed with it.',
    ],
    [
      'unsettled',
      ['Cordless drill'],
      'We are sorry: your booking of Cordless drill failed for a reason on our side.',
    ],
    ['cancelled', ['Cordless drill'], 'The booking of Cordless drill was cancelled.'],
  ] as const)('states the reason for a refund: %s', async (reason, toolNames, why) => {
    const renter = await service.addPerson('Rita');

    await service.broker.sendNew(
      'PaymentRefunded',
      refunded(renter.id, { reason, toolNames: [...toolNames] }),
    );

    const [notice] = await service.expectNotices(renter, 1);
    const email = await service.expectEmail(renter.email, /^Your \$48\.00 is on its way back$/);
    expect(notice).toMatchObject({
      kind: 'booking-refunded',
      message: `${why} Your $48.00 is on its way back to your card.`,
    });
    expect(email.text).toContain(why);
  });

  it("links to the renter's rentals if the late payment may have been for a change", async () => {
    const renter = await service.addPerson('Rita');

    await service.broker.sendNew('PaymentRefunded', refunded(renter.id, { reason: 'unassigned' }));

    const { text } = await service.expectEmail(renter.email, /is on its way back$/);
    expect(text).toContain('/user/my-rental-history');
    expect(text).not.toContain('Find another tool');
  });

  it('attaches the credit note', async () => {
    const renter = await service.addPerson('Rita');

    await service.broker.sendNew(
      'PaymentRefunded',
      refunded(renter.id, { reason: 'cancelled', refundId: 're_2' }),
    );

    const { files } = await service.expectEmail(renter.email, /is on its way back$/);
    expect(files).toEqual([
      { name: 'credit-note-C-0000-0001.pdf', content: 'credit note of re_2' },
    ]);
  });

  it.each(['admin', 'changed'] as const)(
    'sends only the credit note for the reason %s, of which the renter was notified before',
    async (reason) => {
      const renter = await service.addPerson('Rita');

      await service.broker.sendNew('PaymentRefunded', refunded(renter.id, { reason }));
      const { files } = await service.expectEmail(renter.email, /^Your credit note for \$48\.00$/);
      await service.broker.sendNew('PaymentRefunded', refunded(renter.id));

      expect(files).toMatchObject([{ content: 'credit note of re_1' }]);
      await service.expectNotices(renter, 1);
    },
  );

  testConsumer(
    queue,
    () => service,
    async (isSynced) => {
      const renter = isSynced ? await service.addPerson('Rita') : await service.addUnsyncedPerson();
      return {
        send: () => service.broker.sendNew('PaymentRefunded', refunded(renter.id)),
        countEffects: () =>
          service.emailsTo(renter.email).filter(({ subject }) => /way back/.test(subject)).length,
        addMissingData: () => service.addPerson('Rita', { userId: renter.id, email: renter.email }),
      };
    },
  );
});
