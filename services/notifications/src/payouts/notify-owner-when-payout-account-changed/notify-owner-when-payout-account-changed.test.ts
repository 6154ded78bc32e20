import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EventData } from '@lendtools/contracts';
import { bookingCreated, waitFor } from '@lendtools/testing';
import { testConsumer } from '../../../test/consumer-tests.ts';
import {
  type NotificationsService,
  startNotificationsService,
  type TestPerson,
} from '../../../test/notifications-service.ts';

const queue = 'notifications.notify-owner-when-payout-account-changed';

let service: NotificationsService;
beforeAll(async () => {
  service = await startNotificationsService();
});
afterAll(() => service.stop());

const changed = (
  ownerId: string,
  overrides: Partial<EventData<'PayoutAccountChanged'>> = {},
): EventData<'PayoutAccountChanged'> => ({
  ownerId,
  state: 'ready',
  needsInformation: false,
  isInReview: false,
  neededBy: null,
  before: { state: 'incomplete', needsInformation: false },
  ...overrides,
});
const send = (
  { id }: TestPerson,
  version: number,
  overrides?: Partial<EventData<'PayoutAccountChanged'>>,
) => service.broker.sendNew('PayoutAccountChanged', changed(id, overrides), { id, version });

const stored = ({ id }: TestPerson) =>
  service.database.collection<{ _id: string; version: number }>('payout_accounts').findOne({
    _id: id,
  });
const emailOfBooking = async (owner: TestPerson) => {
  const renter = await service.addPerson('Rita');
  const toolName = `Saw of ${owner.id} ${renter.id}`;
  const parties = { ownerId: owner.id, renterId: renter.id, toolName };
  await service.broker.sendNew('BookingCreated', bookingCreated(parties));
  return service.expectEmail(owner.email, new RegExp(toolName));
};

describe(queue, () => {
  it('notifies an owner who is ready, in the app and by email', async () => {
    const owner = await service.addPerson('Olga');

    await send(owner, 2);

    expect(await service.expectNotices(owner, 1)).toMatchObject([
      {
        kind: 'payouts',
        bookingId: null,
        message: 'Payouts are set up: you can be paid what your tools earn.',
      },
    ]);
    const { text } = await service.expectEmail(owner.email, /^You’re ready to get paid$/);
    expect(text).toContain('/user/get-paid');
  });

  it('notifies an owner whose payouts are paused', async () => {
    const owner = await service.addPerson('Olga');

    await send(owner, 3, {
      state: 'incomplete',
      needsInformation: true,
      before: { state: 'ready', needsInformation: false },
    });

    await service.expectEmail(owner.email, /^Stripe needs more information$/);
  });

  it('does not notify an owner who has just started', async () => {
    const owner = await service.addPerson('Olga');

    await send(owner, 1, {
      state: 'incomplete',
      before: { state: 'not-started', needsInformation: false },
    });
    await waitFor('the copy', () => stored(owner));

    expect(await service.noticesOf(owner)).toEqual([]);
  });

  it('links to "Get paid" in the emails about bookings until the owner is ready', async () => {
    const owner = await service.addPerson('Olga');

    const before = await emailOfBooking(owner);
    await send(owner, 2);
    await service.expectEmail(owner.email, /^You’re ready to get paid$/);
    const after = await emailOfBooking(owner);

    expect(before.text).toContain('/user/get-paid');
    expect(before.html).toContain('/user/get-paid');
    expect(after.text).not.toContain('/user/get-paid');
  });

  it('keeps the newest version when events are late', async () => {
    const owner = await service.addPerson('Olga');

    await send(owner, 5);
    await service.expectEmail(owner.email, /^You’re ready to get paid$/);
    await send(owner, 4, {
      state: 'incomplete',
      before: { state: 'not-started', needsInformation: false },
    });
    const marker = await service.addPerson('Mara');
    await send(marker, 1);
    await waitFor('the marker', () => stored(marker));

    expect(await stored(owner)).toMatchObject({ isReady: true, version: 5 });
  });

  testConsumer(
    queue,
    () => service,
    async (isSynced) => {
      const owner = isSynced ? await service.addPerson('Olga') : await service.addUnsyncedPerson();
      return {
        send: () => send(owner, 2),
        countEffects: () =>
          service.emailsTo(owner.email).filter(({ subject }) => /ready/.test(subject)).length,
        addMissingData: () => service.addPerson('Olga', { userId: owner.id, email: owner.email }),
      };
    },
  );
});
