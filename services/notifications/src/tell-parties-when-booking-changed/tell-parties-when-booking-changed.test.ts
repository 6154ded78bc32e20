import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EventData } from '@lendtools/contracts';
import { bookingCreated } from '@lendtools/testing';
import { testConsumer } from '../../test/consumer-tests.ts';
import {
  type Acquaintance,
  type NotificationsService,
  startNotificationsService,
} from '../../test/notifications-service.ts';

const queue = 'notifications.tell-parties-when-booking-changed';

let service: NotificationsService;
beforeAll(async () => {
  service = await startNotificationsService();
});
afterAll(() => service.stop());

const partiesOf = (owner: Acquaintance, renter: Acquaintance) => {
  const { bookingId, toolId, toolName } = bookingCreated();
  return { bookingId, toolId, toolName, ownerId: owner.id, renterId: renter.id, quantity: 1 };
};

const cancelled = (
  owner: Acquaintance,
  renter: Acquaintance,
  overrides: Partial<EventData<'BookingCancelled'>> = {},
): EventData<'BookingCancelled'> => ({
  ...partiesOf(owner, renter),
  bookingCode: 'LT123456',
  cancelledBy: 'owner',
  reason: 'The chuck is broken.',
  refunds: [{ paymentId: bookingCreated().bookingId, refundCents: 4_800 }],
  ...overrides,
});

describe(queue, () => {
  it('thanks the renter for the return', async () => {
    const owner = await service.introduce('Olga');
    const renter = await service.introduce('Rita');

    await service.broker.sendNew('BookingReturned', partiesOf(owner, renter));

    const [notice] = await service.expectNotices(renter, 1);
    const email = await service.expectEmail(renter.email, /is back/);
    expect(notice).toMatchObject({
      kind: 'booking-returned',
      message: 'Cordless drill is back with its owner. Thank you! How was it?',
    });
    expect(email.text).toContain('Olga has Cordless drill back.');
    expect(await service.noticesOf(owner)).toEqual([]);
  });

  it('notifies both parties of a cancellation, each with their own text', async () => {
    const owner = await service.introduce('Olga');
    const renter = await service.introduce('Rita');

    await service.broker.sendNew('BookingCancelled', cancelled(owner, renter));

    const told = [await service.expectNotices(owner, 1), await service.expectNotices(renter, 1)];
    const email = await service.expectEmail(renter.email, /Cancelled/);
    await service.expectEmail(owner.email, /Cancelled/);
    expect(told.flat().map(({ message }) => message)).toEqual([
      'You cancelled the booking of Cordless drill. Its dates are free again. The reason: “The chuck is broken.”',
      'The owner cancelled the booking of Cordless drill. $48.00 will go back to your card. The reason: “The chuck is broken.”',
    ]);
    expect(email.text).toContain('$48.00 will go back to your card.');
  });

  it.each([
    [
      'part of the price',
      [{ paymentId: bookingCreated().bookingId, refundCents: 1_200 }],
      '$12.00 will go back to your card. By its cancellation policy, the rest stays with the owner.',
    ],
    ['nothing', [], 'By its cancellation policy, $36.00 stays with the owner.'],
  ])('states what the owner keeps when %s is refunded', async (_what, refunds, words) => {
    const owner = await service.introduce('Olga');
    const renter = await service.introduce('Rita');
    const byPolicy = { cancelledBy: 'renter', reason: '', refunds, keptCents: 3_600 } as const;

    await service.broker.sendNew('BookingCancelled', cancelled(owner, renter, byPolicy));

    const told = [await service.expectNotices(owner, 1), await service.expectNotices(renter, 1)];
    expect(told.flat().map(({ message }) => message)).toEqual([
      'The renter cancelled the booking of Cordless drill. Its dates are free again. By its cancellation policy, you keep $36.00.',
      `You cancelled the booking of Cordless drill. ${words}`,
    ]);
    const email = await service.expectEmail(renter.email, /Cancelled/);
    expect(email.text).toContain(words);
  });

  it("cancels the event in both calendars if the booking's times are known", async () => {
    const owner = await service.introduce('Olga');
    const renter = await service.introduce('Rita');
    const times = { startsAt: '2026-06-01T12:00:00.000Z', endsAt: '2026-06-03T12:00:00.000Z' };

    await service.broker.sendNew('BookingCancelled', cancelled(owner, renter, times));

    const emails = [
      await service.expectEmail(owner.email, /Cancelled/),
      await service.expectEmail(renter.email, /Cancelled/),
    ];
    for (const { calendar, raw } of emails) {
      expect(calendar).toContain('METHOD:CANCEL');
      expect(calendar).toContain('SEQUENCE:1');
      expect(calendar).toContain('STATUS:CANCELLED');
      // An email program reads the method before it opens the file.
      expect(raw).toMatch(/^Content-Type: text\/calendar;.*\s*method=CANCEL/m);
    }
  });

  testConsumer(
    queue,
    () => service,
    async (known) => {
      const owner = await service.introduce('Olga');
      const renter = known ? await service.introduce('Rita') : await service.meet();
      return {
        send: () => service.broker.sendNew('BookingCancelled', cancelled(owner, renter)),
        countEffects: () =>
          service.emailsTo(renter.email).filter(({ subject }) => /Cancelled/.test(subject)).length,
        introduceLate: () => service.introduce('Rita', { userId: renter.id, email: renter.email }),
      };
    },
  );
});
