import { randomUUID, randomUUIDv7 } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@lendtools/testing';
import mongoose from 'mongoose';
import {
  type MessagingService,
  openThread,
  sendFirst,
  startMessagingService,
} from '../../test/messaging-service.ts';

let service: MessagingService;
beforeAll(async () => {
  service = await startMessagingService();
});
afterAll(() => service.stop());

const pathOf = (userId: string, messageId: string): string =>
  `/api/user/${userId}/messaging/${messageId}/send-reply`;

describe('POST /api/user/:userId/messaging/:messageId/send-reply', () => {
  it('adds a reply and publishes it for the other party', async () => {
    const opened = await openThread(service);
    const messageId = await sendFirst(service, opened);

    const sent = await service.http.post(pathOf(opened.ownerId, messageId), {
      token: opened.owner,
      body: { message: 'At six.' },
    });

    const event = await service.broker.expectEvent(
      'ReplySent',
      (data) => data.messageId === messageId,
    );
    expect(sent.status).toBe(201);
    expect(sent.body.reply).toMatchObject({
      messageId,
      bookingId: opened.bookingId,
      message: 'At six.',
      user: { id: opened.ownerId, first_name: 'Olga', last_name: 'Owner' },
    });
    expect(event).toMatchObject({
      version: 2,
      data: { replyId: sent.body.reply.id, toUserId: opened.renterId, text: 'At six.' },
    });
  });

  it("shows an admin's reply as from LendTools and publishes it for both parties", async () => {
    const opened = await openThread(service);
    const messageId = await sendFirst(service, opened);
    const adminId = randomUUIDv7();
    const admin = await service.accounts.sign({ userId: adminId, role: 'Admin' });

    const sent = await service.http.post(pathOf(adminId, messageId), {
      token: admin,
      body: { message: 'We refund it.' },
    });

    const published = () =>
      service.broker.received.flatMap((event) =>
        event.type === 'ReplySent' && event.data.messageId === messageId ? [event.data] : [],
      );
    await waitFor('both', () => published().length === 2);
    const { body } = await service.http.get(`/api/replies/${messageId}/my-replies`, {
      token: opened.renter,
    });
    expect(sent.status).toBe(201);
    expect(
      published()
        .map(({ toUserId }) => toUserId)
        .sort(),
    ).toEqual([opened.ownerId, opened.renterId].sort());
    expect(published()[0]).toMatchObject({ fromFirstName: 'LendTools', fromUserId: adminId });
    expect(body.replies).toMatchObject([
      { message: 'We refund it.', user: { id: adminId, first_name: 'LendTools', last_name: '' } },
    ]);
  });

  it('records the reply of an admin before it is stored, and takes none of a finance admin', async () => {
    const opened = await openThread(service);
    const messageId = await sendFirst(service, opened);
    const send = async (role: 'Support' | 'Finance') => {
      const userId = randomUUIDv7();
      const token = await service.accounts.sign({ userId, role });
      const body = { message: 'We look at it.' };
      const { status } = await service.http.post(pathOf(userId, messageId), { token, body });
      return { userId, status };
    };

    const [support, finance] = [await send('Support'), await send('Finance')];

    expect([support.status, finance.status]).toEqual([201, 404]);
    const { data } = await service.broker.expectEvent(
      'AdminActedInMessaging',
      ({ action, subject }) => action === 'sendReply' && subject === messageId,
    );
    expect(data.actorId).toBe(support.userId);
    expect(JSON.stringify(data)).not.toContain('We look at it');
  });

  it('stores and lists each of twenty concurrent replies once', async () => {
    const opened = await openThread(service);
    const messageId = await sendFirst(service, opened);
    const texts = Array.from({ length: 20 }, (_, i) => `Reply ${i}`);

    const sent = await Promise.all(
      texts.map((message, i) =>
        service.http.post(pathOf(i % 2 ? opened.ownerId : opened.renterId, messageId), {
          token: i % 2 ? opened.owner : opened.renter,
          body: { message },
        }),
      ),
    );

    const { body } = await service.http.get(`/api/replies/${messageId}/my-replies`, {
      token: opened.owner,
    });
    expect(new Set(sent.map((reply) => reply.status))).toEqual(new Set([201]));
    expect(body.replies.map((reply: { message: string }) => reply.message).sort()).toEqual(
      texts.sort(),
    );
  });

  it('stores a reply once if its Idempotency-Key is repeated', async () => {
    const opened = await openThread(service);
    const messageId = await sendFirst(service, opened);
    const path = pathOf(opened.ownerId, messageId);
    const headers = { 'idempotency-key': randomUUID() };
    const ask = { token: opened.owner, body: { message: 'At six.' }, headers };

    const sent = await Promise.all([1, 2, 3].map(() => service.http.post(path, ask)));
    const other = await service.http.post(path, { ...ask, body: { message: 'At seven.' } });

    const { body } = await service.http.get(`/api/replies/${messageId}/my-replies`, {
      token: opened.owner,
    });
    expect(sent.map((reply) => reply.body)).toEqual(Array(3).fill(sent[0]?.body));
    expect(other.status).toBe(422);
    expect(body.replies).toEqual([sent[0]?.body.reply]);
  });

  it("limits a person's replies per minute in a thread, even concurrent ones, and sets Retry-After", async () => {
    const limited = await startMessagingService({ RATE_LIMIT_FACTOR: '0.1' });
    const opened = await openThread(limited);
    const messageId = await sendFirst(limited, opened);
    const send = (userId: string, token: string) =>
      limited.http.post(pathOf(userId, messageId), { token, body: { message: 'Well?' } });

    const flood = await Promise.all(
      Array.from({ length: 8 }, () => send(opened.renterId, opened.renter)),
    );
    const answer = await send(opened.ownerId, opened.owner);
    await limited.stop();

    const rejected = flood.filter((reply) => reply.status !== 201);
    expect(rejected).toHaveLength(5);
    expect(rejected[0]).toMatchObject({ status: 429, body: { code: 'TOO_MANY_REQUESTS' } });
    const seconds = Number(rejected[0]?.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(50);
    expect(seconds).toBeLessThanOrEqual(60);
    expect(answer.status).toBe(201);
  });

  it('returns a stored reply for a repeated Idempotency-Key even after the limit is reached', async () => {
    const limited = await startMessagingService({ RATE_LIMIT_FACTOR: '0.1' });
    const opened = await openThread(limited);
    const path = pathOf(opened.renterId, await sendFirst(limited, opened));
    const send = (key: string) => {
      const headers = { 'idempotency-key': key };
      return limited.http.post(path, { token: opened.renter, body: { message: 'Well?' }, headers });
    };
    const key = randomUUID();

    const first = await send(key);
    for (let i = 0; i < 2; i++) await send(randomUUID());
    const another = await send(randomUUID());
    const repeated = await send(key);
    await limited.stop();

    expect(another.status).toBe(429);
    expect(repeated.status).toBe(201);
    expect(repeated.body).toEqual(first.body);
  });

  it('limits a person to five hundred replies a day in a thread', async () => {
    const limited = await startMessagingService({ RATE_LIMIT_FACTOR: '1' });
    const opened = await openThread(limited);
    const messageId = await sendFirst(limited, opened);
    const connection = await mongoose.createConnection(limited.databaseUrl).asPromise();
    const written = Array.from({ length: 499 }, (_, i) => ({
      _id: randomUUID(),
      messageId,
      fromUserId: opened.renterId,
      place: i + 1,
      sendKey: randomUUID(),
      createdAt: new Date(Date.now() - (500 - i) * 60_000),
    }));
    await connection.collection('replies').insertMany(written as never[]);
    await connection.close();
    const send = () =>
      limited.http.post(pathOf(opened.renterId, messageId), {
        token: opened.renter,
        body: { message: 'Well?' },
      });

    const [last, rejected] = [await send(), await send()];
    await limited.stop();

    expect([last.status, rejected.status]).toEqual([201, 429]);
    expect(rejected.body.detail).toBe('You have written a lot here. Please try again in 16 hours.');
  });

  it('rejects replies by users outside the thread, and replies under another user’s id', async () => {
    const opened = await openThread(service);
    const messageId = await sendFirst(service, opened);
    const strangerId = randomUUIDv7();
    const stranger = await service.accounts.sign({ userId: strangerId });
    const body = { message: 'Hello' };

    const replies = [
      await service.http.post(pathOf(opened.ownerId, messageId), { body }),
      await service.http.post(pathOf(opened.ownerId, messageId), { token: opened.renter, body }),
      await service.http.post(pathOf(strangerId, messageId), { token: stranger, body }),
      await service.http.post(pathOf(opened.ownerId, randomUUID()), { token: opened.owner, body }),
    ];

    expect(replies.map((reply) => reply.status)).toEqual([401, 403, 404, 404]);
  });
});
