import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EventData } from '@lendtools/contracts';
import { testConsumer } from '../../../test/consumer-tests.ts';
import {
  type NotificationsService,
  startNotificationsService,
} from '../../../test/notifications-service.ts';

const queue = 'notifications.remind-owner-when-payout-reminder-due';

let service: NotificationsService;
beforeAll(async () => {
  service = await startNotificationsService();
});
afterAll(() => service.stop());

describe(queue, () => {
  it.each<[EventData<'PayoutReminderDue'>['state'], RegExp, RegExp]>([
    ['not-started', /^Get paid for what you lend$/, /Set up payouts/],
    ['incomplete', /^Finish setting up your payouts$/, /aren’t set up yet/],
  ])('reminds an owner whose account is %s', async (state, subject, words) => {
    const owner = await service.addPerson('Olga');

    await service.broker.sendNew('PayoutReminderDue', { ownerId: owner.id, state });

    const { text } = await service.expectEmail(owner.email, subject);
    expect(text).toContain('/user/get-paid');
    const [notice] = await service.expectNotices(owner, 1);
    expect(notice).toMatchObject({
      kind: 'payout-reminder',
      message: expect.stringMatching(words),
    });
  });

  testConsumer(
    queue,
    () => service,
    async (isSynced) => {
      const owner = isSynced ? await service.addPerson('Olga') : await service.addUnsyncedPerson();
      const data = { ownerId: owner.id, state: 'not-started' } as const;
      return {
        send: () => service.broker.sendNew('PayoutReminderDue', data),
        countEffects: () =>
          service.emailsTo(owner.email).filter(({ subject }) => /Get paid/.test(subject)).length,
        addMissingData: () => service.addPerson('Olga', { userId: owner.id, email: owner.email }),
      };
    },
  );
});
