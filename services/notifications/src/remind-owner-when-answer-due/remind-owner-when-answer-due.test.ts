import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EventData } from '@lendtools/contracts';
import { bookingCreated } from '@lendtools/testing';
import { testConsumer } from '../../test/consumer-tests.ts';
import {
  type Acquaintance,
  type NotificationsService,
  startNotificationsService,
} from '../../test/notifications-service.ts';

const queue = 'notifications.remind-owner-when-answer-due';

let service: NotificationsService;
beforeAll(async () => {
  service = await startNotificationsService();
});
afterAll(() => service.stop());

/** An event whose deadline is many years away. */
const answerDue = (
  owner: Acquaintance,
  renter: Acquaintance,
  overrides: Partial<EventData<'BookingAnswerDue'>> = {},
): EventData<'BookingAnswerDue'> => {
  const { bookingId, toolId, toolName, bookingCode } = bookingCreated();
  return {
    bookingId,
    toolId,
    toolName,
    ownerId: owner.id,
    renterId: renter.id,
    bookingCode,
    changeId: null,
    answerBy: '2096-06-01T17:30:00.000Z',
    timeZone: 'America/Chicago',
    ...overrides,
  };
};

const introduceBoth = async () =>
  [await service.introduce('Olga'), await service.introduce('Rita')] as const;

describe(queue, () => {
  it('reminds only the owner of an unanswered request, by a notice and an email', async () => {
    const [owner, renter] = await introduceBoth();
    const data = answerDue(owner, renter);

    await service.broker.sendNew('BookingAnswerDue', data);

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
      'BookingAnswerDue',
      answerDue(owner, renter, { changeId: randomUUID() }),
    );

    const { text } = await service.expectEmail(owner.email, /waits for your answer/);
    expect(text).toContain('about a change of the booking of your Cordless drill.');
  });

  it('sends no reminder of an answer after its deadline', async () => {
    const [owner, renter] = await introduceBoth();
    const answerBy = new Date().toISOString();

    await service.broker.sendNew('BookingAnswerDue', answerDue(owner, renter, { answerBy }));
    await service.broker.sendNew('BookingAnswerDue', answerDue(renter, owner));
    await service.expectEmail(renter.email, /waits for your answer/);

    expect(await service.noticesOf(owner)).toEqual([]);
    expect(service.emailsTo(owner.email).map(({ subject }) => subject)).toEqual([
      'Welcome to LendTools',
    ]);
  });

  it('sends no reminder of an answer after a cancellation', async () => {
    const [owner, renter] = await introduceBoth();
    const data = answerDue(owner, renter);
    const { bookingId, toolId, toolName, ownerId, renterId, bookingCode } = data;
    await service.broker.sendNew('BookingCancelled', {
      bookingId,
      toolId,
      toolName,
      ownerId,
      renterId,
      bookingCode,
      quantity: 1,
      cancelledBy: 'renter',
      reason: '',
      refunds: [],
    });
    await service.expectEmail(owner.email, /Cancelled/);

    await service.broker.sendNew('BookingAnswerDue', data);
    await service.broker.sendNew('BookingAnswerDue', answerDue(renter, owner));
    await service.expectEmail(renter.email, /waits for your answer/);

    const subjects = service.emailsTo(owner.email).map(({ subject }) => subject);
    expect(subjects.filter((subject) => /waits for/.test(subject))).toEqual([]);
  });

  testConsumer(
    queue,
    () => service,
    async (known) => {
      const owner = await service.introduce('Olga');
      const renter = known ? await service.introduce('Rita') : await service.meet();
      const data = answerDue(owner, renter);
      return {
        send: () => service.broker.sendNew('BookingAnswerDue', data),
        countEffects: () =>
          service.emailsTo(owner.email).filter(({ subject }) => /waits for your/.test(subject))
            .length,
        introduceLate: () => service.introduce('Rita', { userId: renter.id }),
      };
    },
  );
});
