import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EventData } from '@lendtools/contracts';
import { bookingCreated } from '@lendtools/testing';
import { testConsumer } from '../../../test/consumer-tests.ts';
import {
  type NotificationsService,
  startNotificationsService,
  type TestPerson,
} from '../../../test/notifications-service.ts';

const queue = 'notifications.remind-parties-when-review-due';

let service: NotificationsService;
beforeAll(async () => {
  service = await startNotificationsService();
});
afterAll(() => service.stop());

/** An event whose deadline is many years away. */
const reviewDue = (
  owner: TestPerson,
  renter: TestPerson,
  overrides: Partial<EventData<'ReviewDue'>> = {},
): EventData<'ReviewDue'> => {
  const { bookingId, toolId, toolName, bookingCode } = bookingCreated();
  const parties = { bookingId, toolId, toolName, ownerId: owner.id, renterId: renter.id };
  const until = { closesAt: '2096-06-01T17:30:00.000Z', timeZone: 'America/Chicago' };
  return { ...parties, bookingCode, missing: ['owner', 'renter'], ...until, ...overrides };
};

const introduceBoth = async () =>
  [await service.addPerson('Olga'), await service.addPerson('Rita')] as const;

const until =
  'You can write a review until Fri, Jun 1, 12:30 PM CDT. Reviews appear once both of you have written, or then.';

describe(queue, () => {
  it('reminds both parties by a notice and an email, each with their own text', async () => {
    const [owner, renter] = await introduceBoth();
    const data = reviewDue(owner, renter);

    await service.broker.sendNew('ReviewDue', data);

    const [toOwner, toRenter] = [
      await service.expectEmail(owner.email, /left to review/),
      await service.expectEmail(renter.email, /left to review/),
    ];
    expect(toOwner.subject).toBe('A few days left to review: Cordless drill, LT123456');
    expect(toOwner.text).toContain(`How was Rita as the renter of your Cordless drill? ${until}`);
    expect(toOwner.text).toContain(`/user/my-bookings-details?id=${data.bookingId}#review`);
    expect(toRenter.text).toContain(`/user/my-rental-history-details?id=${data.bookingId}#review`);
    expect(await service.noticesOf(renter)).toMatchObject([
      { kind: 'reminder', message: `How was Olga’s Cordless drill? ${until}` },
    ]);
  });

  it('reminds only the party that has not written, and nobody once the time is over', async () => {
    const [owner, renter] = await introduceBoth();
    const over = { closesAt: new Date().toISOString() };

    await service.broker.sendNew('ReviewDue', reviewDue(owner, renter, over));
    await service.broker.sendNew('ReviewDue', reviewDue(owner, renter, { missing: ['renter'] }));

    await service.expectEmail(renter.email, /left to review/);
    expect(await service.noticesOf(owner)).toEqual([]);
    expect(await service.noticesOf(renter)).toHaveLength(1);
  });

  testConsumer(
    queue,
    () => service,
    async (isSynced) => {
      const owner = await service.addPerson('Olga');
      const renter = isSynced ? await service.addPerson('Rita') : await service.addUnsyncedPerson();
      const data = reviewDue(owner, renter);
      return {
        send: () => service.broker.sendNew('ReviewDue', data),
        countEffects: () =>
          service.emailsTo(owner.email).filter(({ subject }) => /left to/.test(subject)).length,
        addMissingData: () => service.addPerson('Rita', { userId: renter.id }),
      };
    },
  );
});
