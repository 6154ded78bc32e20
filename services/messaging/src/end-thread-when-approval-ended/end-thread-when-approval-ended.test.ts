import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { armFault } from '@lendtools/service-kit';
import { metricIn, waitFor } from '@lendtools/testing';
import {
  approvalEnded,
  approvalRequested,
  type MessagingService,
  openThread,
  sendFirst,
  startMessagingService,
} from '../../test/messaging-service.ts';

const queue = 'messaging.end-thread-when-approval-ended';
const dayMs = 86_400_000;

let service: MessagingService;
beforeAll(async () => {
  service = await startMessagingService({ PURGE_INTERVAL_MINUTES: '0.02' });
});
afterAll(() => service.stop());

const threads = () => service.database.collection<{ _id: string; endedAt?: Date }>('threads');
const endedAt = async (bookingId: string) => (await threads().findOne({ _id: bookingId }))?.endedAt;
const moveEnd = (bookingId: string, days: number) =>
  threads().updateOne(
    { _id: bookingId },
    { $set: { endedAt: new Date(Date.now() - days * dayMs) } },
  );

const talkAboutRequest = async () => {
  const opened = await openThread(service, 'ApprovalRequested');
  const messageId = await sendFirst(service, opened);
  const { ownerId, owner } = opened;
  const path = `/api/user/${ownerId}/messaging/${messageId}/send-reply`;
  const replied = await service.http.post(path, { token: owner, body: { message: 'At ten.' } });
  expect(replied.status).toBe(201);
  return { ...opened, messageId };
};

describe('messaging.end-thread-when-approval-ended', () => {
  it('lets the parties write for 30 days after the end, and deletes the thread after 90', async () => {
    const { messageId, ...kept } = await talkAboutRequest();
    const deleted = await talkAboutRequest();
    for (const { bookingId, ownerId, renterId } of [kept, deleted])
      await service.broker.sendNew(
        'ApprovalEnded',
        approvalEnded({ bookingId, ownerId, renterId }),
      );
    for (const { bookingId } of [kept, deleted])
      await waitFor('the end', async () => endedAt(bookingId));

    const path = `/api/user/${kept.renterId}/messaging/${messageId}/send-reply`;
    const write = () =>
      service.http.post(path, { token: kept.renter, body: { message: 'Another time.' } });
    await moveEnd(kept.bookingId, 29);
    expect((await write()).status).toBe(201);
    await moveEnd(kept.bookingId, 89);
    await moveEnd(deleted.bookingId, 91);

    await waitFor('the purge', async () => !(await threads().findOne({ _id: deleted.bookingId })));
    const replies = service.database.collection('replies');
    expect(await replies.countDocuments({ bookingId: deleted.bookingId })).toBe(0);
    expect(await replies.countDocuments({ bookingId: kept.bookingId })).toBe(2);
    const messages = service.database.collection('messages');
    expect(await messages.countDocuments({ bookingId: deleted.bookingId })).toBe(0);
    expect((await write()).body.code).toBe('THREAD_CLOSED');
    await waitFor('the count', async () => {
      const text = await (await fetch(`${service.running.url}/metrics`)).text();
      return (metricIn(text, 'purged_total', { kind: 'ended_threads' }) || 0) >= 1;
    });
  });

  it('does not end the thread of a booking whose change was not accepted', async () => {
    const { bookingId, ownerId, renterId } = await openThread(service);
    const change = { changeId: bookingId, dueCents: 0 };
    const ended = approvalEnded({ bookingId, ownerId, renterId, change });
    const marker = approvalEnded();

    await service.broker.sendNew('ApprovalEnded', ended);
    await service.broker.sendNew('ApprovalEnded', marker);

    await waitFor('the marker', async () => endedAt(marker.bookingId));
    expect(await endedAt(bookingId)).toBeUndefined();
  });

  it('ends a thread whose request arrives after its end, and twice', async () => {
    const request = approvalRequested();
    const { bookingId, ownerId, renterId } = request;
    const ended = approvalEnded({ bookingId, ownerId, renterId });

    await service.broker.sendNew('ApprovalEnded', ended);
    await waitFor('the end', async () => endedAt(bookingId));
    await service.broker.sendNew('ApprovalRequested', request);
    await service.broker.sendNew('ApprovalEnded', ended);
    const marker = approvalRequested();
    await service.broker.sendNew('ApprovalRequested', marker);

    await waitFor('the marker', async () => threads().findOne({ _id: marker.bookingId }));
    expect(await threads().findOne({ _id: bookingId })).toMatchObject({
      ownerId,
      renterId,
      isUnpaid: true,
      endedAt: expect.any(Date),
    });
  });

  it('consumes the event again when its acknowledgement fails', async () => {
    armFault('consumer.beforeAck:1:throw');
    const ended = approvalEnded();

    await service.broker.sendNew('ApprovalEnded', ended);

    await waitFor('the end', async () => endedAt(ended.bookingId));
    expect(await service.broker.countDead(queue)).toBe(0);
  });

  it('dead-letters an unreadable message and consumes the next one', async () => {
    const ended = approvalEnded();

    await service.broker.sendRaw(queue, 'not an event');
    await service.broker.sendNew('ApprovalEnded', ended);

    await waitFor('the end', async () => endedAt(ended.bookingId));
    await waitFor('the dead letter', async () => (await service.broker.countDead(queue)) === 1);
  });
});
