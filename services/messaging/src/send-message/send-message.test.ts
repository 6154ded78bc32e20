import { randomUUID, randomUUIDv7 } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bookingCreated } from '@lendtools/testing';
import {
  type MessagingService,
  newTool,
  openThread,
  startMessagingService,
} from '../../test/messaging-service.ts';

let service: MessagingService;
beforeAll(async () => {
  service = await startMessagingService();
});
afterAll(() => service.stop());

const pathOf = (bookingId: string): string => `/api/rentalBookings/${bookingId}/send-message`;

describe('POST /api/rentalBookings/:bookingId/send-message', () => {
  it('stores the first message, publishes it for the other party and shows it to both', async () => {
    const { bookingId, renter, renterId, ownerId, owner, thread } = await openThread(service);

    const sent = await service.http.post(pathOf(bookingId), {
      token: renter,
      body: { message: 'When can I come?', userId: ownerId },
    });

    const event = await service.broker.expectEvent(
      'MessageSent',
      (data) => data.bookingId === bookingId,
    );
    const read = await service.http.get(thread, { token: owner });
    expect(sent.status).toBe(201);
    expect(sent.body.messaging).toMatchObject({
      bookingId,
      message: 'When can I come?',
      user: { id: renterId, first_name: 'Rita', last_name: 'Renter' },
    });
    expect(read.body.messaging).toEqual([sent.body.messaging]);
    expect(event.data).toMatchObject({
      messageId: sent.body.messaging.id,
      fromUserId: renterId,
      fromFirstName: 'Rita',
      toUserId: ownerId,
      toolName: 'Cordless drill',
      text: 'When can I come?',
    });
  });

  it('lets only the renter write the first message of a question', async () => {
    const { ownerId, owner, renterId, renter, toolId } = await newTool(service);
    const threadId = randomUUIDv7();
    await service.database.collection<{ _id: string }>('threads').insertOne({
      _id: threadId,
      ownerId,
      renterId,
      toolId,
      toolName: 'Drill',
      isUnpaid: true,
      question: `${toolId}:${renterId}`,
    } as never);
    const body = { message: 'Is it heavy?' };

    const asOwner = await service.http.post(pathOf(threadId), { token: owner, body });
    const asRenter = await service.http.post(pathOf(threadId), { token: renter, body });

    expect([asOwner.status, asRenter.status]).toEqual([404, 201]);
  });

  it('replies 409 to a first message if the thread already has one', async () => {
    const { bookingId, renter, owner } = await openThread(service);
    await service.http.post(pathOf(bookingId), { token: renter, body: { message: 'First' } });

    const second = await service.http.post(pathOf(bookingId), {
      token: owner,
      body: { message: 'Second' },
    });

    expect([second.status, second.body.code]).toEqual([409, 'THREAD_ALREADY_OPEN']);
  });

  it('accepts only one first message when both parties write concurrently', async () => {
    const { bookingId, renter, owner, thread } = await openThread(service);

    const replies = await Promise.all(
      [renter, owner, renter, owner].map((token) =>
        service.http.post(pathOf(bookingId), { token, body: { message: 'Hello' } }),
      ),
    );

    const { body } = await service.http.get(thread, { token: renter });
    expect(replies.map((reply) => reply.status).sort()).toEqual([201, 409, 409, 409]);
    expect(body.messaging).toHaveLength(1);
  });

  it('returns the same response for a repeated Idempotency-Key, and publishes the message once', async () => {
    const { bookingId, renter } = await openThread(service);
    const ask = {
      token: renter,
      body: { message: 'Hello' },
      headers: { 'idempotency-key': randomUUID() },
    };

    const [first, second] = await Promise.all([
      service.http.post(pathOf(bookingId), ask),
      service.http.post(pathOf(bookingId), ask),
    ]);
    const other = await service.http.post(pathOf(bookingId), {
      ...ask,
      body: { message: 'Other words' },
    });

    await service.broker.expectEvent('MessageSent', (data) => data.bookingId === bookingId);
    const published = service.broker.received.filter(
      ({ type, aggregateId }) => type === 'MessageSent' && aggregateId === bookingId,
    );
    expect(second).toMatchObject({ status: 201, body: first.body });
    expect([other.status, other.body.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
    expect(published).toHaveLength(1);
  });

  it('waits for a booking whose event has not arrived yet', async () => {
    const booking = bookingCreated();
    const token = await service.accounts.sign({ userId: booking.renterId });

    const sending = service.http.post(pathOf(booking.bookingId), {
      token,
      body: { message: 'Hello' },
    });
    await service.broker.sendNew('BookingCreated', booking);

    expect((await sending).status).toBe(201);
  });

  it.each([
    ['an id that is not a UUIDv7', randomUUID(), 404],
    ['a booking whose event never arrives', randomUUIDv7(), 404],
    ['an id that is not a UUID', 'x', 400],
  ])('rejects a message to %s', async (_, bookingId, status) => {
    const token = await service.accounts.sign();

    const reply = await service.http.post(pathOf(bookingId), { token, body: { message: 'Hello' } });

    expect(reply.status).toBe(status);
  });

  it('lets only the parties of a booking write the first message', async () => {
    const { bookingId, admin, thread, owner } = await openThread(service);
    const stranger = await service.accounts.sign();
    const body = { message: 'Hello' };

    const replies = [
      await service.http.post(pathOf(bookingId), { body }),
      await service.http.post(pathOf(bookingId), { token: stranger, body }),
      await service.http.post(pathOf(bookingId), { token: admin, body }),
    ];

    const { body: kept } = await service.http.get(thread, { token: owner });
    expect(replies.map((reply) => reply.status)).toEqual([401, 404, 404]);
    expect(kept).toEqual({ messaging: [] });
  });

  it.each([
    [{}],
    [{ message: '  ' }],
    [{ message: { $ne: null } }],
    [{ message: 'x'.repeat(4001) }],
  ])('rejects a message with the body %j', async (body) => {
    const { bookingId, renter } = await openThread(service);

    const reply = await service.http.post(pathOf(bookingId), { token: renter, body });

    expect([reply.status, reply.body.errors[0].path]).toEqual([400, 'message']);
  });
});
