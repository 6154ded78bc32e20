import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bookingCreated, waitFor } from '@lendtools/testing';
import {
  approvalEnded,
  approvalRequested,
  type MessagingService,
  newTool,
  openQuestion,
  sendQuestion,
  startMessagingService,
  type TestTool,
} from './messaging-service.ts';

let service: MessagingService;
beforeAll(async () => {
  service = await startMessagingService();
});
afterAll(() => service.stop());

const messagesOf = async (threadId: string, token: string): Promise<{ message: string }[]> => {
  const { body } = await service.http.get(`/api/messaging/${threadId}/my-messages`, { token });
  return body.messaging;
};

const expectFirst = (threadId: string, token: string, message: string) =>
  waitFor(`the message ${message}`, async () => {
    const [first] = await messagesOf(threadId, token);
    return first?.message === message;
  });

const bookingOf = ({ toolId, ownerId, renterId }: TestTool) =>
  bookingCreated({ toolId, ownerId, renterId });

const reply = (userId: string, token: string, messageId: string, message: string) =>
  service.http.post(`/api/user/${userId}/messaging/${messageId}/send-reply`, {
    token,
    body: { message },
  });

describe('a question about a tool', () => {
  it("moves to the booking's thread with its replies, and is unmasked", async () => {
    const opened = await openQuestion(service, 'I am rita@example.com');
    const { ownerId, owner, renterId, renter, threadId, messageId } = opened;
    await reply(ownerId, owner, messageId, 'Call 503 555 0123');
    const booking = bookingOf(opened);

    await service.broker.sendNew('BookingCreated', booking);

    await expectFirst(booking.bookingId, renter, 'I am rita@example.com');
    const { body } = await service.http.get(`/api/replies/${messageId}/my-replies`, {
      token: renter,
    });
    expect(body.replies).toMatchObject([
      { message: 'Call 503 555 0123', bookingId: booking.bookingId },
    ]);
    const later = await reply(renterId, renter, messageId, 'Thank you, 503 555 0199');
    expect(later.body.reply).toMatchObject({
      message: 'Thank you, 503 555 0199',
      bookingId: booking.bookingId,
    });
    const changed = await service.broker.expectEvent(
      'ThreadChanged',
      (data) => data.messageId === messageId,
    );
    expect(changed.data).toMatchObject({ bookingId: booking.bookingId, questionId: threadId });
    const shown = await service.http.get(`/api/user/${ownerId}/threads/${threadId}`, {
      token: owner,
    });
    expect(shown.body.thread.bookingId).toBe(booking.bookingId);
    const listed = await service.http.get(`/api/user/${renterId}/threads`, { token: renter });
    expect(listed.body.threads).toMatchObject([{ id: booking.bookingId, isMasked: false }]);
  });

  it('shows the last message without a mask in the lists, once it is paid', async () => {
    const opened = await openQuestion(service, 'I am rita@example.com');
    const { toolId, ownerId, renterId, renter } = opened;
    const request = approvalRequested({ toolId, ownerId, renterId });
    const { bookingId } = request;
    const lastShown = async (text: string) =>
      waitFor(`the last message ${text}`, async () => {
        const { body } = await service.http.get(`/api/user/${renterId}/threads`, { token: renter });
        const [first, ...others] = body.threads;
        return first?.id === bookingId && first.last.text === text && others.length === 0;
      });

    await service.broker.sendNew('ApprovalRequested', request);
    await lastShown('I am [hidden]');
    await service.broker.sendNew('BookingCreated', { ...bookingOf(opened), bookingId });

    await lastShown('I am rita@example.com');
  });

  it('may be repeated with its Idempotency-Key after a booking has continued it', async () => {
    const tool = await newTool(service);
    const headers = { 'idempotency-key': randomUUID() };
    const first = await sendQuestion(service, tool, 'Is it heavy?', headers);
    const booking = bookingOf(tool);
    await service.broker.sendNew('BookingCreated', booking);
    await expectFirst(booking.bookingId, tool.owner, 'Is it heavy?');

    const repeated = await sendQuestion(service, tool, 'Is it heavy?', headers);

    const { id } = first.body.messaging;
    const messaging = { id, bookingId: booking.bookingId };
    expect(repeated).toMatchObject({ status: 201, body: { messaging } });
  });

  it('stays a listed thread of its own if the thread of the booking has a message already', async () => {
    const opened = await openQuestion(service);
    const { renterId, renter, threadId } = opened;
    const booking = bookingOf(opened);
    const threads = service.database.collection<{ _id: string }>('threads');
    const messages = service.database.collection<{ _id: string }>('messages');
    await messages.insertOne({ _id: randomUUID(), bookingId: booking.bookingId } as never);
    // An earlier delivery of the event stopped halfway.
    await threads.updateOne(
      { _id: threadId },
      { $set: { continuedBy: booking.bookingId }, $unset: { parties: 1 } },
    );

    await service.broker.sendNew('BookingCreated', booking);

    await waitFor('the question', async () => {
      const { body } = await service.http.get(`/api/user/${renterId}/threads`, { token: renter });
      return body.threads[0]?.id === threadId && body.threads[0].bookingId === null;
    });
  });

  it('moves to the thread of a request, and stays masked until the booking', async () => {
    const opened = await openQuestion(service, 'I am rita@example.com');
    const { toolId, ownerId, renterId, renter, owner, messageId } = opened;
    const request = approvalRequested({ toolId, ownerId, renterId });
    const { bookingId } = request;

    await service.broker.sendNew('ApprovalRequested', request);
    await expectFirst(bookingId, owner, 'I am [hidden]');
    await service.broker.sendNew('BookingCreated', {
      ...bookingOf(opened),
      bookingId,
    });
    await expectFirst(bookingId, owner, 'I am rita@example.com');

    const late = await reply(renterId, renter, messageId, 'or rita@example.org');
    expect(late.body.reply.message).toBe('or rita@example.org');
    // The events may arrive again, in any order.
    await service.broker.sendNew('ApprovalRequested', request);
    const next = await openQuestion(service);
    const marker = bookingOf(next);
    await service.broker.sendNew('BookingCreated', marker);
    await expectFirst(marker.bookingId, next.renter, 'Is it heavy?');
    await expectFirst(bookingId, owner, 'I am rita@example.com');
  });

  it('masks the messages of a request until it is paid', async () => {
    const request = approvalRequested();
    const { bookingId, ownerId, renterId } = request;
    await service.broker.sendNew('ApprovalRequested', request);
    const token = await service.accounts.sign({ userId: renterId });
    const owner = await service.accounts.sign({ userId: ownerId });
    const sent = await waitFor('the thread', async () => {
      const path = `/api/rentalBookings/${bookingId}/send-message`;
      const answer = await service.http.post(path, { token, body: { message: 'a@b.com' } });
      return answer.status === 201 && answer;
    });

    expect(sent.body.messaging.message).toBe('[hidden]');
    await service.broker.sendNew(
      'BookingCreated',
      bookingCreated({ bookingId, ownerId, renterId }),
    );
    await expectFirst(bookingId, owner, 'a@b.com');
  });

  it('can be followed by a new question, which a redelivered event does not move', async () => {
    const opened = await openQuestion(service);
    const { toolId, renterId, renter, owner, threadId } = opened;
    const booking = bookingOf(opened);
    const event = await service.broker.sendNew('BookingCreated', booking);
    await expectFirst(booking.bookingId, owner, 'Is it heavy?');

    const again = await sendQuestion(service, { toolId, renterId, renter }, 'And now?');
    await service.broker.send(event);
    const marker = bookingCreated();
    await service.broker.sendNew('BookingCreated', marker);
    const threads = service.database.collection<{ _id: string }>('threads');
    await waitFor('the marker', () => threads.findOne({ _id: marker.bookingId }));

    expect(again.body.messaging.bookingId).toBe(threadId);
    const path = `/api/user/${renterId}/threads/${threadId}`;
    const { body } = await service.http.get(path, { token: renter });
    expect(body.thread).toMatchObject({ bookingId: null, isMasked: true });
    expect(await messagesOf(threadId, owner)).toMatchObject([{ message: 'And now?' }]);
    expect(await messagesOf(booking.bookingId, owner)).toMatchObject([{ message: 'Is it heavy?' }]);
  });

  it('leaves the thread of another booking of the pair as it was', async () => {
    const opened = await openQuestion(service);
    const [first, second] = [bookingOf(opened), bookingOf(opened)];
    await service.broker.sendNew('BookingCreated', first);
    await expectFirst(first.bookingId, opened.owner, 'Is it heavy?');

    await service.broker.sendNew('BookingCreated', second);

    const sent = await waitFor('the thread', async () => {
      const path = `/api/rentalBookings/${second.bookingId}/send-message`;
      const answer = await service.http.post(path, {
        token: opened.renter,
        body: { message: 'Again, me.' },
      });
      return answer.status === 201 && answer;
    });
    expect(sent.body.messaging).toMatchObject({ message: 'Again, me.', place: 0 });
  });

  it('is deleted with its messages 90 days after the last one', async () => {
    const purging = await startMessagingService({ PURGE_INTERVAL_MINUTES: '0.02' });
    const old = await openQuestion(purging);
    const recent = await openQuestion(purging);
    const threads = purging.database.collection<{ _id: string; endedAt: Date }>('threads');
    const longAgo = new Date(Date.now() - 91 * 86_400_000);

    await threads.updateOne({ _id: old.threadId }, { $set: { endedAt: longAgo } });

    await waitFor('the purge', async () => !(await threads.findOne({ _id: old.threadId })));
    const left = await purging.database.collection('messages').find().toArray();
    await purging.stop();
    expect(left).toMatchObject([{ bookingId: recent.threadId }]);
  });

  it('does not end when the request that continued it is declined', async () => {
    const opened = await openQuestion(service);
    const { toolId, ownerId, renterId, renter, owner, threadId } = opened;
    const request = approvalRequested({ toolId, ownerId, renterId });
    await service.broker.sendNew('ApprovalRequested', request);
    await expectFirst(request.bookingId, owner, 'Is it heavy?');
    const { bookingId } = request;
    const ended = approvalEnded({ bookingId, toolId, ownerId, renterId });
    await service.broker.sendNew('ApprovalEnded', ended);

    const again = await sendQuestion(service, { toolId, renterId, renter }, 'Next week, then?');

    expect(again).toMatchObject({ status: 201, body: { messaging: { bookingId: threadId } } });
    await expectFirst(bookingId, owner, 'Is it heavy?');
  });
});
