import { randomUUIDv7 } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@lendtools/testing';
import { testConsumer } from '../../../test/consumer-tests.ts';
import {
  messageSent,
  type NotificationsService,
  startNotificationsService,
} from '../../../test/notifications-service.ts';

const queue = 'notifications.move-notices-when-thread-changed';

let service: NotificationsService;
beforeAll(async () => {
  service = await startNotificationsService();
});
afterAll(() => service.stop());

const openQuestion = async () => {
  const [owner, renter] = [await service.addPerson('Olga'), await service.addPerson('Rita')];
  const question = { toolId: randomUUIDv7(), ownerId: owner.id };
  const sent = messageSent({ fromUserId: renter.id, toUserId: owner.id, question });
  await service.broker.sendNew('MessageSent', sent);
  await service.expectNotices(owner, 1);
  const { messageId, bookingId: questionId } = sent;
  const parties = { ownerId: owner.id, renterId: renter.id };
  return { owner, changed: { bookingId: randomUUIDv7(), messageId, questionId, ...parties } };
};

describe(queue, () => {
  it("moves a question's notices to the booking, so that opening it marks them as read", async () => {
    const { owner, changed } = await openQuestion();
    const { bookingId } = changed;

    await service.broker.sendNew('ThreadChanged', changed);

    await waitFor('the move', async () => {
      const [notice] = await service.noticesOf(owner);
      return notice?.bookingId === bookingId && notice.kind === 'message';
    });
    const path = `/api/user/${owner.id}/notifications/read-all?bookingId=${bookingId}`;
    const { body } = await service.http.put(path, { token: owner.token });
    expect(body.unread).toBe(0);
  });

  it('changes nothing for a thread that stays where it is', async () => {
    const { owner, changed } = await openQuestion();
    const next = await openQuestion();

    await service.broker.sendNew('ThreadChanged', { ...changed, questionId: null });
    await service.broker.sendNew('ThreadChanged', next.changed);

    await waitFor(
      'the next',
      async () => (await service.noticesOf(next.owner))[0]?.kind === 'message',
    );
    expect((await service.noticesOf(owner))[0]).toMatchObject({ kind: 'question' });
  });

  testConsumer(
    queue,
    () => service,
    async () => {
      const { owner, changed } = await openQuestion();
      return {
        send: () => service.broker.sendNew('ThreadChanged', changed),
        countEffects: async () =>
          (await service.noticesOf(owner)).filter(({ kind }) => kind === 'message').length,
      };
    },
  );
});
