import { randomUUID, randomUUIDv7 } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bookingCreated, waitFor } from '@lendtools/testing';
import {
  type MessagingService,
  newTool,
  openQuestion,
  sendQuestion,
  startMessagingService,
} from '../../test/messaging-service.ts';

let service: MessagingService;
beforeAll(async () => {
  service = await startMessagingService();
});
afterAll(() => service.stop());

describe('POST /api/user/:userId/rentals/:toolId/send-question', () => {
  it('opens a thread that the owner reads and answers by the documented calls', async () => {
    const { toolId, ownerId, renterId, owner, renter, threadId, messageId } =
      await openQuestion(service);

    const read = await service.http.get(`/api/messaging/${threadId}/my-messages`, { token: owner });
    const answered = await service.http.post(
      `/api/user/${ownerId}/messaging/${messageId}/send-reply`,
      { token: owner, body: { message: 'Ten pounds.' } },
    );
    const replies = await service.http.get(`/api/replies/${messageId}/my-replies`, {
      token: renter,
    });

    expect(read.body.messaging).toMatchObject([
      { message: 'Is it heavy?', user: { id: renterId } },
    ]);
    expect(answered.status).toBe(201);
    expect(replies.body.replies).toMatchObject([{ message: 'Ten pounds.', bookingId: threadId }]);
    const found = await service.http.get(`/api/user/${renterId}/rentals/${toolId}/question`, {
      token: renter,
    });
    expect(found.body.thread).toMatchObject({
      id: threadId,
      toolId,
      as: 'renter',
      bookingId: null,
    });
  });

  it('publishes the question to the owner, with masked contact details', async () => {
    const tool = await newTool(service);

    await sendQuestion(service, tool, 'Call me: 503-555-0123');

    const sent = await service.broker.expectEvent(
      'MessageSent',
      ({ toUserId }) => toUserId === tool.ownerId,
    );
    expect(sent.data).toMatchObject({
      toUserId: tool.ownerId,
      text: 'Call me: [hidden]',
      question: { toolId: tool.toolId, ownerId: tool.ownerId },
    });
  });

  it('shows the parties only the initials of their last names until a booking continues it', async () => {
    const { toolId, ownerId, renterId, owner, renter, threadId, messageId } =
      await openQuestion(service);
    const otherOf = async (userId: string, token: string) => {
      const { body } = await service.http.get(`/api/user/${userId}/threads`, { token });
      return body.threads[0]?.other;
    };
    const firstIn = async (id: string) => {
      const { body } = await service.http.get(`/api/messaging/${id}/my-messages`, { token: owner });
      return body.messaging?.[0]?.user;
    };
    const [renterAsOther, ownerAsOther] = await waitFor('the names', async () => {
      const others = await Promise.all([otherOf(ownerId, owner), otherOf(renterId, renter)]);
      return others.every((other) => other && other.first_name !== 'A neighbor') && others;
    });

    const answered = await service.http.post(
      `/api/user/${ownerId}/messaging/${messageId}/send-reply`,
      { token: owner, body: { message: 'Ten pounds.' } },
    );
    const replies = await service.http.get(`/api/replies/${messageId}/my-replies`, {
      token: renter,
    });
    const published = await service.broker.expectEvent(
      'ReplySent',
      (data) => data.messageId === messageId,
    );
    const firstMessage = await firstIn(threadId);
    const booking = bookingCreated({ toolId, ownerId, renterId });
    await service.broker.sendNew('BookingCreated', booking);
    const booked = await waitFor('the booking’s thread', () => firstIn(booking.bookingId));

    expect([renterAsOther, ownerAsOther, firstMessage]).toMatchObject([
      { first_name: 'Rita', last_name: 'R.' },
      { first_name: 'Olga', last_name: 'O.' },
      { first_name: 'Rita', last_name: 'R.' },
    ]);
    expect(answered.body.reply.user).toMatchObject({ first_name: 'Olga', last_name: 'O.' });
    expect(replies.body.replies[0].user).toMatchObject({ last_name: 'O.' });
    expect(published.data).toMatchObject({ fromFirstName: 'Olga', fromLastName: 'O.' });
    expect(booked).toMatchObject({ first_name: 'Rita', last_name: 'Renter' });
    expect((await otherOf(renterId, renter)).last_name).toBe('Owner');
  });

  it('masks contact details for both parties, in messages, replies and the lists', async () => {
    const opened = await openQuestion(service, 'I am rita@example.com');
    const { ownerId, owner, renterId, renter, threadId, messageId } = opened;

    const sent = await service.http.post(`/api/user/${ownerId}/messaging/${messageId}/send-reply`, {
      token: owner,
      body: { message: 'Text 503 555 0123' },
    });
    const first = await service.http.get(`/api/messaging/${threadId}/my-messages`, {
      token: owner,
    });
    const listed = await waitFor('the list', async () => {
      const { body } = await service.http.get(`/api/user/${renterId}/threads`, { token: renter });
      return body.threads[0]?.last.fromUserId === ownerId && body.threads;
    });

    expect(sent.body.reply.message).toBe('Text [hidden]');
    expect(first.body.messaging[0].message).toBe('I am [hidden]');
    expect(listed).toMatchObject([
      { id: threadId, isMasked: true, last: { text: 'Text [hidden]' } },
    ]);
  });

  it('masks nothing if the operator has turned masking off', async () => {
    const open = await startMessagingService({ MASK_CONTACTS: 'false' });
    const { owner, ownerId, threadId } = await openQuestion(open, 'I am rita@example.com');

    const first = await open.http.get(`/api/messaging/${threadId}/my-messages`, { token: owner });
    const thread = await open.http.get(`/api/user/${ownerId}/threads/${threadId}`, {
      token: owner,
    });
    await open.stop();

    expect(first.body.messaging[0].message).toBe('I am rita@example.com');
    expect(thread.body.thread).toMatchObject({
      isMasked: false,
      last: { text: 'I am rita@example.com' },
    });
  });

  it('rejects a second question about the same tool with 409, also a concurrent one', async () => {
    const tool = await newTool(service);

    const sent = await Promise.all(
      [1, 2, 3].map((n) => sendQuestion(service, tool, `Question ${n}`)),
    );

    expect(sent.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    expect(sent.find(({ status }) => status === 409)?.body.code).toBe('THREAD_ALREADY_OPEN');
  });

  it('stores a question once if its Idempotency-Key is repeated', async () => {
    const tool = await newTool(service);
    const headers = { 'idempotency-key': randomUUID() };

    const first = await sendQuestion(service, tool, 'Is it heavy?', headers);
    const repeated = await sendQuestion(service, tool, 'Is it heavy?', headers);
    const other = await sendQuestion(service, tool, 'Is it light?', headers);

    expect(repeated).toMatchObject({ status: 201, body: first.body });
    expect(other.status).toBe(422);
  });

  it('rejects the owner, and a tool that is removed or whose owner is disabled', async () => {
    const { toolId, ownerId, owner, renterId, renter } = await newTool(service);

    const own = await sendQuestion(
      service,
      { toolId, renterId: ownerId, renter: owner },
      'Hello me',
    );
    const gone = await sendQuestion(service, { toolId: randomUUIDv7(), renterId, renter }, 'Hello');

    expect(own).toMatchObject({ status: 409, body: { code: 'TOOL_IS_YOURS' } });
    expect(gone).toMatchObject({ status: 404, body: { code: 'TOOL_NOT_FOUND' } });
  });

  it('returns 503 while catalog is down, and stores nothing', async () => {
    const cut = await startMessagingService({ CATALOG_URL: 'http://127.0.0.1:1' });
    const tool = await newTool(cut);

    const { status } = await sendQuestion(cut, tool, 'Is it heavy?');
    const stored = await cut.database.collection('threads').countDocuments();
    await cut.stop();

    expect([status, stored]).toEqual([503, 0]);
  });

  it('limits how many new owners a user asks a day, and not the owners whose tools the user has booked', async () => {
    const limited = await startMessagingService({ RATE_LIMIT_FACTOR: '0.1' });
    const [first, second, third] = [
      await newTool(limited),
      await newTool(limited),
      await newTool(limited),
    ];
    const { renterId, renter } = first;
    const as = ({ toolId }: { toolId: string }) => ({ toolId, renterId, renter });
    const [another, ofKnown] = [randomUUIDv7(), randomUUIDv7()];
    const booking = bookingCreated({ renterId });
    limited.toolOwners.set(another, first.ownerId);
    limited.toolOwners.set(ofKnown, booking.ownerId);
    await limited.broker.sendNew('BookingCreated', booking);
    const threads = limited.database.collection<{ _id: string }>('threads');
    await waitFor('the booking', () => threads.findOne({ _id: booking.bookingId }));

    const sent = [
      await sendQuestion(limited, as(first), 'One?'),
      await sendQuestion(limited, as(second), 'Two?'),
      await sendQuestion(limited, as(third), 'Three?'),
      await sendQuestion(limited, { toolId: another, renterId, renter }, 'And your saw?'),
      await sendQuestion(limited, { toolId: ofKnown, renterId, renter }, 'And yours?'),
    ];
    await limited.stop();

    expect(sent.map(({ status }) => status)).toEqual([201, 201, 429, 429, 201]);
    expect(Number(sent[2]?.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('counts a question under the Idempotency-Key of another one, but not a repeated question', async () => {
    const limited = await startMessagingService({ RATE_LIMIT_FACTOR: '0.1' });
    const first = await newTool(limited);
    const { renterId, renter } = first;
    const headers = { 'idempotency-key': randomUUID() };
    const ask = async ({ toolId }: { toolId: string }) =>
      sendQuestion(limited, { toolId, renterId, renter }, 'Is it heavy?', headers);

    const sent = [
      await ask(first),
      await ask(first),
      await ask(await newTool(limited)),
      await ask(await newTool(limited)),
      await ask(first),
    ];
    await limited.stop();

    expect(sent.map(({ status }) => status)).toEqual([201, 201, 422, 429, 201]);
  });

  it('lets the renter reply five times in a row until the owner answers', async () => {
    const { ownerId, owner, renterId, renter, messageId } = await openQuestion(service);
    const reply = async (userId: string, token: string, message: string, key?: string) =>
      service.http.post(`/api/user/${userId}/messaging/${messageId}/send-reply`, {
        token,
        body: { message },
        ...(key && { headers: { 'idempotency-key': key } }),
      });
    const key = randomUUID();
    for (const n of [1, 2, 3, 4]) await reply(renterId, renter, `Reply ${n}`);
    const fifth = await reply(renterId, renter, 'Reply 5', key);

    const sixth = await reply(renterId, renter, 'Reply 6');
    const repeated = await reply(renterId, renter, 'Reply 5', key);
    const answered = await reply(ownerId, owner, 'Ten pounds.');
    const next = await reply(renterId, renter, 'Thanks');

    expect(fifth.status).toBe(201);
    expect(sixth).toMatchObject({ status: 409, body: { code: 'ANSWER_AWAITED' } });
    expect(repeated).toMatchObject({ status: 201, body: fifth.body });
    expect([answered.status, next.status]).toEqual([201, 201]);
  });
});
