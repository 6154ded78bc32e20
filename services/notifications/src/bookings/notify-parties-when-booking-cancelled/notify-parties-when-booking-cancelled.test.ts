import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EventData } from '@lendtools/contracts';
import { bookingCancelled, bookingCreated } from '@lendtools/testing';
import { testConsumer } from '../../../test/consumer-tests.ts';
import {
  type NotificationsService,
  startNotificationsService,
  type TestPerson,
} from '../../../test/notifications-service.ts';

const queue = 'notifications.notify-parties-when-booking-cancelled';

let service: NotificationsService;
beforeAll(async () => {
  service = await startNotificationsService();
});
afterAll(() => service.stop());

const cancelled = (
  owner: TestPerson,
  renter: TestPerson,
  overrides: Partial<EventData<'BookingCancelled'>> = {},
): EventData<'BookingCancelled'> =>
  bookingCancelled({
    ownerId: owner.id,
    renterId: renter.id,
    cancelledBy: 'owner',
    reason: 'The chuck is broken.',
    refunds: [{ paymentId: bookingCreated().bookingId, refundCents: 4_800 }],
    ...overrides,
  });

describe(queue, () => {
  it('notifies both parties of a cancellation, each with their own text', async () => {
    const owner = await service.addPerson('Olga');
    const renter = await service.addPerson('Rita');

    await service.broker.sendNew('BookingCancelled', cancelled(owner, renter));

    const notices = [await service.expectNotices(owner, 1), await service.expectNotices(renter, 1)];
    const email = await service.expectEmail(renter.email, /Cancelled/);
    await service.expectEmail(owner.email, /Cancelled/);
    expect(notices.flat().map(({ message }) => message)).toEqual([
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
  ])('states how much the owner keeps when %s is refunded', async (_what, refunds, words) => {
    const owner = await service.addPerson('Olga');
    const renter = await service.addPerson('Rita');
    const byPolicy = { cancelledBy: 'renter', reason: '', refunds, keptCents: 3_600 } as const;

    await service.broker.sendNew('BookingCancelled', cancelled(owner, renter, byPolicy));

    const notices = [await service.expectNotices(owner, 1), await service.expectNotices(renter, 1)];
    expect(notices.flat().map(({ message }) => message)).toEqual([
      'The renter cancelled the booking of Cordless drill. Its dates are free again. By its cancellation policy, you keep $36.00.',
      `You cancelled the booking of Cordless drill. ${words}`,
    ]);
    const email = await service.expectEmail(renter.email, /Cancelled/);
    expect(email.text).toContain(words);
  });

  it('subtracts the commission from what the owner keeps, in the owner’s notice only', async () => {
    const owner = await service.addPerson('Olga');
    const renter = await service.addPerson('Rita');
    const byPolicy = { cancelledBy: 'renter', reason: '', keptCents: 3_600 } as const;
    const earnings = { grossCents: 3_600, feeCents: 360 };

    await service.broker.sendNew(
      'BookingCancelled',
      cancelled(owner, renter, { ...byPolicy, refunds: [], earnings }),
    );

    const notices = [await service.expectNotices(owner, 1), await service.expectNotices(renter, 1)];
    expect(notices.flat().map(({ message }) => message)).toEqual([
      'The renter cancelled the booking of Cordless drill. Its dates are free again. By its cancellation policy, you keep $36.00 − $3.60 = $32.40.',
      'You cancelled the booking of Cordless drill. By its cancellation policy, $36.00 stays with the owner.',
    ]);
    const email = await service.expectEmail(renter.email, /Cancelled/);
    expect(email.text).not.toContain('32.40');
  });

  it("cancels the event in both calendars if the booking's times are known", async () => {
    const owner = await service.addPerson('Olga');
    const renter = await service.addPerson('Rita');
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
      // An email program reads this method before it opens the attached file.
      expect(raw).toMatch(/^Content-Type: text\/calendar;.*\s*method=CANCEL/m);
    }
  });

  testConsumer(
    queue,
    () => service,
    async (isSynced) => {
      const owner = await service.addPerson('Olga');
      const renter = isSynced ? await service.addPerson('Rita') : await service.addUnsyncedPerson();
      return {
        send: () => service.broker.sendNew('BookingCancelled', cancelled(owner, renter)),
        countEffects: () =>
          service.emailsTo(renter.email).filter(({ subject }) => /Cancelled/.test(subject)).length,
        addMissingData: () => service.addPerson('Rita', { userId: renter.id, email: renter.email }),
      };
    },
  );
});
