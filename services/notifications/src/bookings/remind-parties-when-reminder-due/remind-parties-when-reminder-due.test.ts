import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EventData } from '@lendtools/contracts';
import { bookingCancelled, bookingCreated } from '@lendtools/testing';
import { testConsumer } from '../../../test/consumer-tests.ts';
import {
  type NotificationsService,
  startNotificationsService,
  type TestPerson,
} from '../../../test/notifications-service.ts';

const queue = 'notifications.remind-parties-when-reminder-due';

let service: NotificationsService;
beforeAll(async () => {
  service = await startNotificationsService();
});
afterAll(() => service.stop());

const inHours = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString();

const reminder = (
  owner: TestPerson,
  renter: TestPerson,
  overrides: Partial<EventData<'BookingReminderDue'>> = {},
): EventData<'BookingReminderDue'> => {
  const { bookingId, toolId, toolName, bookingCode, ...booking } = bookingCreated();
  const { startDate, startTime, endDate, endTime } = booking;
  return {
    bookingId,
    toolId,
    toolName,
    ownerId: owner.id,
    renterId: renter.id,
    bookingCode,
    startDate,
    startTime,
    endDate,
    endTime,
    kind: 'pick-up',
    usefulUntil: inHours(1),
    ...overrides,
  };
};

const introduceBoth = async () =>
  [await service.addPerson('Olga'), await service.addPerson('Rita')] as const;

const messages = async (person: TestPerson): Promise<string[]> =>
  (await service.noticesOf(person)).map(({ message }) => message);

describe(queue, () => {
  it('reminds both parties of the pick-up, each with their own text', async () => {
    const [owner, renter] = await introduceBoth();
    const data = reminder(owner, renter);

    await service.broker.sendNew('BookingReminderDue', data);

    const toRenter = await service.expectEmail(renter.email, /^You pick up Cordless drill soon$/);
    const toOwner = await service.expectEmail(owner.email, /^Cordless drill is picked up soon$/);
    expect(await service.noticesOf(renter)).toMatchObject([
      {
        kind: 'reminder',
        bookingId: data.bookingId,
        message:
          'You pick up Cordless drill on Mon, Jun 1, 7:00 AM. Your booking code is LT123456.',
      },
    ]);
    expect(await messages(owner)).toEqual([
      'Your Cordless drill is picked up on Mon, Jun 1, 7:00 AM. Please have it ready.',
    ]);
    for (const fact of [
      'LT123456',
      'Monday, June 1, 2026, 7:00 AM',
      '12 Elm Street, Austin, Texas',
      `/user/my-rental-history-details?id=${data.bookingId}`,
    ])
      expect(toRenter.text).toContain(fact);
    expect(toOwner.text).toContain(`/user/my-bookings-details?id=${data.bookingId}`);
    expect(toOwner.text).not.toContain('Elm Street');
  });

  it('sends no reminder of a booking after its cancellation', async () => {
    const [owner, renter] = await introduceBoth();
    const data = reminder(owner, renter);
    const { bookingId, ownerId, renterId } = data;
    const cancelled = bookingCancelled({ bookingId, ownerId, renterId });
    await service.broker.sendNew('BookingCancelled', cancelled);
    await service.expectEmail(owner.email, /Cancelled/);

    await service.broker.sendNew('BookingReminderDue', data);
    const [others, late] = await introduceBoth();
    await service.broker.sendNew('BookingReminderDue', reminder(others, late));

    await service.expectEmail(late.email, /You pick up/);
    const subjects = service.emailsTo(renter.email).map(({ subject }) => subject);
    expect(subjects.filter((subject) => /pick up/.test(subject))).toEqual([]);
  });

  it('reminds only the renter on the day of the return', async () => {
    const [owner, renter] = await introduceBoth();

    await service.broker.sendNew(
      'BookingReminderDue',
      reminder(owner, renter, { kind: 'return-day' }),
    );

    await service.expectEmail(renter.email, /due back soon/);
    expect(await messages(renter)).toEqual([
      'Please bring Cordless drill back by Wed, Jun 3, 7:00 AM.',
    ]);
    expect(await messages(owner)).toEqual([]);
  });

  it('reminds both parties what to do at the end of the rental', async () => {
    const [owner, renter] = await introduceBoth();

    await service.broker.sendNew(
      'BookingReminderDue',
      reminder(owner, renter, { kind: 'return-due' }),
    );

    await service.expectEmail(owner.email, /^Cordless drill is due back$/);
    await service.expectEmail(renter.email, /^Cordless drill is due back$/);
    expect([await messages(renter), await messages(owner)].flat()).toEqual([
      'The rental of Cordless drill is over. Please bring it back now, or write to its owner.',
      'The rental of Cordless drill is over. Please confirm the return once you have it back.',
    ]);
  });

  it('warns both parties that the tool has not come back from the previous renter', async () => {
    const [owner, renter] = await introduceBoth();

    await service.broker.sendNew(
      'BookingReminderDue',
      reminder(owner, renter, { kind: 'tool-late' }),
    );

    await service.expectEmail(owner.email, /^The next renter of Cordless drill waits$/);
    await service.expectEmail(renter.email, /^Cordless drill may be late$/);
    expect([await messages(renter), await messages(owner)].flat()).toEqual([
      'The return of Cordless drill by the renter before you isn’t confirmed yet. You pick it up on Mon, Jun 1, 7:00 AM: please write to its owner before you set out.',
      'Your Cordless drill is overdue, and the next renter picks it up on Mon, Jun 1, 7:00 AM. Please ask for it now, or confirm its return if you have it.',
    ]);
  });

  it('sends no reminder that comes too late to be useful', async () => {
    const [owner, renter] = await introduceBoth();
    const late = { usefulUntil: inHours(-0.01) };

    await service.broker.sendNew('BookingReminderDue', reminder(owner, renter, late));
    const [nextOwner, nextRenter] = await introduceBoth();
    await service.broker.sendNew('BookingReminderDue', reminder(nextOwner, nextRenter));
    await service.expectEmail(nextRenter.email, /pick up/);

    expect(await messages(renter)).toEqual([]);
    expect(service.emailsTo(renter.email).map(({ subject }) => subject)).toEqual([
      'Welcome to LendTools',
    ]);
  });

  testConsumer(
    queue,
    () => service,
    async (isSynced) => {
      const owner = await service.addPerson('Olga');
      const renter = isSynced ? await service.addPerson('Rita') : await service.addUnsyncedPerson();
      const data = reminder(owner, renter);
      return {
        send: () => service.broker.sendNew('BookingReminderDue', data),
        countEffects: () =>
          service.emailsTo(owner.email).filter(({ subject }) => /picked up/.test(subject)).length,
        addMissingData: () => service.addPerson('Rita', { userId: renter.id }),
      };
    },
  );
});
