import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EventData } from '@lendtools/contracts';
import { bookingCancelled, bookingCreated } from '@lendtools/testing';
import { testConsumer } from '../../../test/consumer-tests.ts';
import {
  type NotificationsService,
  startNotificationsService,
  type TestPerson,
} from '../../../test/notifications-service.ts';

const queue = 'notifications.remind-owner-when-approval-due';

let service: NotificationsService;
beforeAll(async () => {
  service = await startNotificationsService();
});
afterAll(() => service.stop());

/** An event whose deadline is many years away. */
const approvalDue = (
  owner: TestPerson,
  renter: TestPerson,
  overrides: Partial<EventData<'ApprovalDue'>> = {},
): EventData<'ApprovalDue'> => {
  const { bookingId, toolId, toolName, bookingCode } = bookingCreated();
  return {
    bookingId,
    toolId,
    toolName,
    ownerId: owner.id,
    renterId: renter.id,
    bookingCode,
    approvalId: randomUUID(),
    changeId: null,
    answerBy: '2096-06-01T17:30:00.000Z',
    timeZone: 'America/Chicago',
    ...overrides,
  };
};

const introduceBoth = async () =>
  [await service.addPerson('Olga'), await service.addPerson('Rita')] as const;

describe(queue, () => {
  it('reminds only the owner of an unanswered request, by a notice and an email', async () => {
    const [owner, renter] = await introduceBoth();
    const data = approvalDue(owner, renter);

    await service.broker.sendNew('ApprovalDue', data);

    const email = await service.expectEmail(owner.email, /waits for your answer/);
    const message =
      'Rita still waits for your answer about your Cordless drill. Please accept or decline by Fri, Jun 1, 12:30 PM CDT.';
    expect(email.subject).toBe('Rita waits for your answer: Cordless drill, LT123456');
    expect(email.text).toContain(message);
    expect(email.text).toContain(`/user/my-bookings-details?id=${data.bookingId}`);
    expect(await service.noticesOf(owner)).toMatchObject([
      { kind: 'reminder', bookingId: data.bookingId, message },
    ]);
    expect(await service.noticesOf(renter)).toEqual([]);
  });

  it('mentions the requested change in the owner’s reminder', async () => {
    const [owner, renter] = await introduceBoth();

    await service.broker.sendNew(
      'ApprovalDue',
      approvalDue(owner, renter, { changeId: randomUUID() }),
    );

    const { text } = await service.expectEmail(owner.email, /waits for your answer/);
    expect(text).toContain('about a change of the booking of your Cordless drill.');
  });

  it('sends no reminder after the deadline for the answer', async () => {
    const [owner, renter] = await introduceBoth();
    const answerBy = new Date().toISOString();

    await service.broker.sendNew('ApprovalDue', approvalDue(owner, renter, { answerBy }));
    await service.broker.sendNew('ApprovalDue', approvalDue(renter, owner));
    await service.expectEmail(renter.email, /waits for your answer/);

    expect(await service.noticesOf(owner)).toEqual([]);
    expect(service.emailsTo(owner.email).map(({ subject }) => subject)).toEqual([
      'Welcome to LendTools',
    ]);
  });

  it('sends no reminder after a cancellation', async () => {
    const [owner, renter] = await introduceBoth();
    const data = approvalDue(owner, renter);
    const { bookingId, ownerId, renterId } = data;
    const cancelled = bookingCancelled({ bookingId, ownerId, renterId });
    await service.broker.sendNew('BookingCancelled', cancelled);
    await service.expectEmail(owner.email, /Cancelled/);

    await service.broker.sendNew('ApprovalDue', data);
    await service.broker.sendNew('ApprovalDue', approvalDue(renter, owner));
    await service.expectEmail(renter.email, /waits for your answer/);

    const subjects = service.emailsTo(owner.email).map(({ subject }) => subject);
    expect(subjects.filter((subject) => /waits for/.test(subject))).toEqual([]);
  });

  testConsumer(
    queue,
    () => service,
    async (isSynced) => {
      const owner = await service.addPerson('Olga');
      const renter = isSynced ? await service.addPerson('Rita') : await service.addUnsyncedPerson();
      const data = approvalDue(owner, renter);
      return {
        send: () => service.broker.sendNew('ApprovalDue', data),
        countEffects: () =>
          service.emailsTo(owner.email).filter(({ subject }) => /waits for your/.test(subject))
            .length,
        addMissingData: () => service.addPerson('Rita', { userId: renter.id }),
      };
    },
  );
});
