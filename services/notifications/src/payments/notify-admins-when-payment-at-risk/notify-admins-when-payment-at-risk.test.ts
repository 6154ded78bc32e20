import { randomUUIDv7 } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@lendtools/testing';
import { testConsumer } from '../../../test/consumer-tests.ts';
import {
  type NotificationsService,
  startNotificationsService,
  type TestPerson,
} from '../../../test/notifications-service.ts';

const queue = 'notifications.notify-admins-when-payment-at-risk';

let service: NotificationsService;
let admin: TestPerson;
beforeAll(async () => {
  service = await startNotificationsService();
  admin = await service.addPerson('Ada', { role: 'Admin' });
});
afterAll(() => service.stop());

const payment = () => ({ paymentId: randomUUIDv7(), userId: randomUUIDv7(), holdId: null });

const due = (overrides: { disputeCents?: number; answerBy?: string } = {}) => ({
  ...payment(),
  disputeId: 'du_1',
  disputeCents: 4_800,
  reason: 'product_not_received',
  answerBy: '2099-12-04T15:00:00.000Z',
  ...overrides,
});

const noticesOfDisputes = async () =>
  (await service.noticesOf(admin)).filter(({ kind }) => kind === 'dispute');

describe(queue, () => {
  it('reminds only the admins of the deadline for evidence in a dispute', async () => {
    const other = await service.addPerson('Alan', { role: 'Admin' });
    const renter = await service.addPerson('Rita');

    await service.broker.sendNew('DisputeAnswerDue', { ...due(), userId: renter.id });

    for (const one of [admin, other]) {
      const email = await service.expectEmail(one.email, /^Evidence is due: \$48\.00$/);
      expect(email.text).toContain('/admin/disputes');
    }
    expect((await noticesOfDisputes()).map(({ message }) => message)).toContain(
      'Evidence in the dispute over $48.00 (product not received) is due by Fri, Dec 4, 3:00 PM UTC. ' +
        'Without it the bank decides for the cardholder.',
    );
    expect(await service.noticesOf(renter)).toEqual([]);
  });

  it('sends no reminder of a dispute after the deadline for evidence', async () => {
    await service.broker.sendNew(
      'DisputeAnswerDue',
      due({ disputeCents: 7_700, answerBy: '2026-01-01T00:00:00.000Z' }),
    );
    await service.broker.sendNew('DisputeAnswerDue', due({ disputeCents: 7_800 }));

    await service.expectEmail(admin.email, /^Evidence is due: \$78\.00$/);

    const about =
      (dollars: string) =>
      ({ message }: { message: string }) =>
        message.includes(dollars);
    expect((await noticesOfDisputes()).filter(about('$77.00'))).toEqual([]);
  });

  it('explains to every admin what to do about suspected fraud', async () => {
    await service.broker.sendNew('FraudWarningReceived', {
      ...payment(),
      warningId: 'issfr_1',
      amountCents: 9_900,
      fraudType: 'made_with_stolen_card',
    });

    const email = await service.expectEmail(admin.email, /^A bank suspects fraud: \$99\.00$/);
    expect(email.text).toContain('/admin/disputes');
    const notice = await waitFor('the notice', async () =>
      (await noticesOfDisputes()).find(({ message }) => message.includes('$99.00')),
    );
    expect(notice.message).toBe(
      'A bank suspects fraud with a payment of $99.00 (made with stolen card). Refund it, or cancel the ' +
        'booking, before the cardholder disputes it: a dispute costs a fee.',
    );
  });

  testConsumer(
    queue,
    () => service,
    async () => {
      const cents = Math.floor(Math.random() * 1_000_000) + 100_000;
      const dollars = (cents / 100).toFixed(2);
      return {
        send: () => service.broker.sendNew('DisputeAnswerDue', due({ disputeCents: cents })),
        countEffects: () =>
          service
            .emailsTo(admin.email)
            .filter(({ subject }) => subject.replaceAll(',', '').endsWith(`$${dollars}`)).length,
      };
    },
  );
});
