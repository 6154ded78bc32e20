import { randomUUIDv7 } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { armFault } from '@lendtools/service-kit';
import { waitFor } from '@lendtools/testing';
import {
  block,
  bookingCompleted,
  type MessagingService,
  newTool,
  type OpenThread,
  openQuestion,
  openThread,
  sendFirst,
  sendQuestion,
  startMessagingService,
} from '../../test/messaging-service.ts';

const queue = 'messaging.sync-blocks';
let service: MessagingService;
beforeAll(async () => {
  service = await startMessagingService();
});
afterAll(() => service.stop());

const reply = (userId: string, token: string, messageId: string, key?: string) =>
  service.http.post(`/api/user/${userId}/messaging/${messageId}/send-reply`, {
    token,
    body: { message: 'Are you there?' },
    ...(key && { headers: { 'idempotency-key': key } }),
  });
const threadOf = async (userId: string, token: string, threadId: string) =>
  (await service.http.get(`/api/user/${userId}/threads/${threadId}`, { token })).body.thread;
const messagesTo = (userId: string) =>
  service.broker.received.filter(
    ({ type, data }) =>
      ['MessageSent', 'ReplySent'].includes(type) &&
      (data as { toUserId: string }).toUserId === userId,
  );

const complete = async ({ bookingId, ownerId, renterId }: OpenThread): Promise<void> => {
  await service.broker.sendNew(
    'BookingCompleted',
    bookingCompleted({ bookingId, ownerId, renterId, returnedAt: '2026-06-01T12:00:00.000Z' }),
  );
  const threads = service.database.collection<{ _id: string; overAt?: Date }>('threads');
  await waitFor('the end', async () => (await threads.findOne({ _id: bookingId }))?.overAt);
};

describe(queue, () => {
  it('rejects a question to either of the two like one about a tool that is gone', async () => {
    const tool = await newTool(service);
    const gone = await sendQuestion(service, { ...tool, toolId: randomUUIDv7() }, 'Is it heavy?');

    for (const pair of [
      [tool.ownerId, tool.renterId],
      [tool.renterId, tool.ownerId],
    ] as const) {
      await block(service, ...pair);
      const { status, body } = await sendQuestion(service, tool, 'Is it heavy?');
      expect(status).toBe(404);
      expect({ ...body, requestId: '' }).toEqual({ ...gone.body, requestId: '' });
      await block(service, ...pair, { blocked: false, version: 2 });
    }

    expect((await sendQuestion(service, tool, 'Is it heavy?')).status).toBe(201);
  });

  it('returns a question that is repeated after the block, and rejects another one with its key', async () => {
    const [tool, other] = [await newTool(service), await newTool(service)];
    const key = { 'idempotency-key': 'a-key-of-this-question' };
    const sent = await sendQuestion(service, tool, 'Is it heavy?', key);
    await block(service, tool.ownerId, tool.renterId);
    await block(service, other.ownerId, tool.renterId);

    const repeated = await sendQuestion(service, tool, 'Is it heavy?', key);
    const { renterId, renter } = tool;
    const ofOther = await sendQuestion(
      service,
      { ...other, renterId, renter },
      'Is it heavy?',
      key,
    );

    expect([repeated.status, repeated.body]).toEqual([sent.status, sent.body]);
    expect(ofOther.status).toBe(404);
  });

  it('closes an open question for both, who can still read it', async () => {
    const question = await openQuestion(service);
    const { ownerId, owner, renterId, renter, threadId, messageId } = question;
    const sent = messagesTo(ownerId).length;

    await block(service, ownerId, renterId);
    const byRenter = await reply(renterId, renter, messageId);
    const byOwner = await reply(ownerId, owner, messageId);
    const path = `/api/user/${ownerId}/messaging/${messageId}/answer`;
    const answer = await service.http.post(path, {
      token: owner,
      body: { kind: 'decline', message: 'No.' },
    });

    expect([byRenter, byOwner, answer].map(({ status, body }) => [status, body.code])).toEqual([
      [409, 'THREAD_CLOSED'],
      [409, 'THREAD_CLOSED'],
      [409, 'THREAD_CLOSED'],
    ]);
    expect(await threadOf(renterId, renter, threadId)).toMatchObject({ isClosed: true });
    const read = await service.http.get(`/api/messaging/${threadId}/my-messages`, {
      token: renter,
    });
    expect(read.body.messaging).toHaveLength(1);
    expect(messagesTo(ownerId)).toHaveLength(sent);
  });

  it('keeps the thread of a booking open until the booking is over, and lets admins write', async () => {
    const opened = await openThread(service);
    const { ownerId, owner, renterId, renter, bookingId } = opened;
    const messageId = await sendFirst(service, opened);
    await block(service, renterId, ownerId);

    const during = await reply(ownerId, owner, messageId, 'a-key-of-this-reply');
    await complete(opened);
    const after = await reply(ownerId, owner, messageId);
    const repeated = await reply(ownerId, owner, messageId, 'a-key-of-this-reply');
    const adminId = randomUUIDv7();
    const admin = await service.accounts.sign({ userId: adminId, role: 'Admin' });
    const byAdmin = await reply(adminId, admin, messageId);
    await block(service, renterId, ownerId, { blocked: false, version: 2 });

    expect([during.status, after.status, after.body.code]).toEqual([201, 409, 'THREAD_CLOSED']);
    expect(repeated.body.reply.id).toBe(during.body.reply.id);
    expect(byAdmin.status).toBe(201);
    expect(await threadOf(renterId, renter, bookingId)).toMatchObject({ isClosed: false });
    expect((await reply(ownerId, owner, messageId)).status).toBe(201);
  });

  it('rejects the first message about a booking that is over', async () => {
    const opened = await openThread(service);
    const { ownerId, owner, renterId, bookingId } = opened;
    await block(service, renterId, ownerId);
    await complete(opened);

    const { status, body } = await service.http.post(
      `/api/rentalBookings/${bookingId}/send-message`,
      { token: owner, body: { message: 'Hello' } },
    );

    expect([status, body.code]).toEqual([409, 'THREAD_CLOSED']);
  });

  it('keeps the later of two events that arrive out of order, and ignores a duplicate', async () => {
    const tool = await newTool(service);
    await block(service, tool.ownerId, tool.renterId, { blocked: false, version: 2 });

    for (const _ of [1, 2]) await block(service, tool.ownerId, tool.renterId);
    await block(service, randomUUIDv7(), randomUUIDv7());

    expect((await sendQuestion(service, tool, 'Is it heavy?')).status).toBe(201);
  });

  it('consumes the event again when its acknowledgement fails', async () => {
    const tool = await newTool(service);
    armFault('consumer.beforeAck:1:throw');

    await block(service, tool.ownerId, tool.renterId);

    expect((await sendQuestion(service, tool, 'Is it heavy?')).status).toBe(404);
    expect(await service.broker.countDead(queue)).toBe(0);
  });

  it('dead-letters an unreadable message and consumes the next one', async () => {
    await service.broker.sendRaw(queue, 'not an event');
    await block(service, randomUUIDv7(), randomUUIDv7());

    await waitFor('the dead letter', async () => (await service.broker.countDead(queue)) === 1);
  });
});
