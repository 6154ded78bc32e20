import { randomUUIDv7 } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bookingCreated, waitFor } from '@lendtools/testing';
import {
  type MessagingService,
  openQuestion,
  openThread,
  sendFirst,
  startMessagingService,
} from '../../test/messaging-service.ts';

let service: MessagingService;
beforeAll(async () => {
  service = await startMessagingService();
});
afterAll(() => service.stop());

const fill = async (ownerId: string, count: number) => {
  const many = Array.from({ length: count }, (_, n) => ({
    _id: randomUUIDv7(),
    ownerId,
    renterId: randomUUIDv7(),
    toolName: `Tool ${n}`,
    parties: [ownerId],
    // Two threads share each moment, so that a page may end between them.
    last: { at: new Date(1_750_000_000_000 + Math.floor(n / 2)), fromUserId: ownerId, text: 'Hi' },
  }));
  await service.database.collection('threads').insertMany(many as never[]);
};

describe('GET /api/user/:userId/threads', () => {
  it('lists questions and bookings with messages, the latest message first, to their parties', async () => {
    const question = await openQuestion(service);
    const booked = await openThread(service);
    await sendFirst(service, booked);
    const { ownerId, owner, renterId, renter, threadId } = question;
    // A thread without messages is not listed.
    const silent = bookingCreated({ ownerId });
    await service.broker.sendNew('BookingCreated', silent);
    const threads = service.database.collection<{ _id: string }>('threads');
    await waitFor('the thread', () => threads.findOne({ _id: silent.bookingId }));

    const seen = await service.http.get(`/api/user/${ownerId}/threads`, { token: owner });
    const byRenter = await service.http.get(`/api/user/${renterId}/threads`, { token: renter });
    const ofBooking = await service.http.get(`/api/user/${booked.ownerId}/threads`, {
      token: booked.owner,
    });

    expect(seen.body.threads).toMatchObject([
      { id: threadId, as: 'owner', other: { first_name: 'Rita' }, last: { text: 'Is it heavy?' } },
    ]);
    expect(byRenter.body.threads).toMatchObject([{ id: threadId, as: 'renter' }]);
    expect(ofBooking.body.threads).toMatchObject([
      { id: booked.bookingId, bookingId: booked.bookingId, toolId: null, isMasked: false },
    ]);
  });

  it('pages through many threads without gaps or repetitions', async () => {
    const ownerId = randomUUIDv7();
    await fill(ownerId, 400);
    const token = await service.accounts.sign({ userId: ownerId });
    const ids: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const search: string = cursor ? `&cursor=${cursor}` : '';
      const path = `/api/user/${ownerId}/threads?limit=99${search}`;
      const { body } = await service.http.get(path, { token });
      ids.push(...body.threads.map(({ id }: { id: string }) => id));
      cursor = body.nextCursor;
    }

    expect(ids).toHaveLength(400);
    expect(new Set(ids).size).toBe(400);
  });

  it('reads a page from an index, however many threads the user has', async () => {
    const indexes = await service.database.collection('threads').indexes();

    expect(indexes).toContainEqual(
      expect.objectContaining({ key: { parties: 1, 'last.at': -1, _id: -1 } }),
    );
  });

  it('rejects a malformed cursor, another user and a visitor', async () => {
    const [userId, other] = [randomUUIDv7(), randomUUIDv7()];
    const token = await service.accounts.sign({ userId });

    const replies = [
      await service.http.get(`/api/user/${userId}/threads?cursor=x`, { token }),
      await service.http.get(`/api/user/${other}/threads`, { token }),
      await service.http.get(`/api/user/${userId}/threads`),
    ];

    expect(replies.map(({ status }) => status)).toEqual([400, 403, 401]);
  });
});

describe('GET /api/user/:userId/threads/:threadId', () => {
  it('shows a thread to its parties only', async () => {
    const { ownerId, owner, renterId, renter, threadId, toolId } = await openQuestion(service);
    const stranger = randomUUIDv7();
    const get = (userId: string, token: string) =>
      service.http.get(`/api/user/${userId}/threads/${threadId}`, { token });

    const [byOwner, byRenter, byStranger] = [
      await get(ownerId, owner),
      await waitFor('the names', async () => {
        const reply = await get(renterId, renter);
        return reply.body.thread.other.first_name === 'Olga' && reply;
      }),
      await get(stranger, await service.accounts.sign({ userId: stranger })),
    ];

    expect(byOwner.body.thread).toMatchObject({ id: threadId, toolId, as: 'owner' });
    expect(byRenter.body.thread).toMatchObject({ as: 'renter', isMasked: true });
    expect(byStranger.status).toBe(404);
  });
});
