import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ListedThread } from '@lendtools/contracts';
import {
  type MessagingService,
  type OpenThread,
  openQuestion,
  openThread,
  sendFirst,
  startMessagingService,
} from '../../test/messaging-service.ts';

let service: MessagingService;
let opened: OpenThread[];
beforeAll(async () => {
  service = await startMessagingService();
  opened = [await openThread(service), await openThread(service), await openThread(service)];
});
afterAll(() => service.stop());

const list = async (query = ''): Promise<{ threads: ListedThread[]; nextCursor: string | null }> =>
  (await service.http.get(`/api/admin/threads${query}`, { token: opened[0]?.admin })).body;

describe('GET /api/admin/threads', () => {
  it('lists who writes to whom, the last started first, without what they write', async () => {
    const [first, second, silent] = opened as [OpenThread, OpenThread, OpenThread];
    const firstId = await sendFirst(service, first);
    const secondId = await sendFirst(service, second);
    const { body } = await service.http.post(
      `/api/user/${first.ownerId}/messaging/${firstId}/send-reply`,
      { token: first.owner, body: { message: 'At nine.' } },
    );

    const { threads } = await list();

    expect(threads.map(({ id }) => id)).toEqual([secondId, firstId]);
    expect(threads.map(({ bookingId }) => bookingId)).not.toContain(silent.bookingId);
    expect(threads[1]).toEqual({
      id: firstId,
      bookingId: first.bookingId,
      toolName: expect.any(String),
      owner: { id: first.ownerId, first_name: 'Olga', last_name: 'Owner' },
      renter: { id: first.renterId, first_name: expect.any(String), last_name: expect.any(String) },
      startedAt: expect.any(String),
      lastAt: body.reply.createdAt,
      messages: 2,
    });
    expect(JSON.stringify(threads)).not.toMatch(/At nine|When can I come/);
  });

  it('lists the threads of one user', async () => {
    const [first, second] = opened as [OpenThread, OpenThread];

    const [ofOwner, ofRenter] = [
      await list(`?userId=${first.ownerId}`),
      await list(`?userId=${second.renterId}`),
    ];

    expect(ofOwner.threads.map(({ bookingId }) => bookingId)).toEqual([first.bookingId]);
    expect(ofRenter.threads.map(({ bookingId }) => bookingId)).toEqual([second.bookingId]);
  });

  it('pages by cursor', async () => {
    const page = await list('?limit=1');
    const next = await list(`?limit=1&cursor=${page.nextCursor}`);

    expect([...page.threads, ...next.threads]).toEqual((await list()).threads);
    expect(next.nextCursor).toBeNull();
  });

  it('lists a question without a booking', async () => {
    const { ownerId } = await openQuestion(service);

    const { threads } = await list(`?userId=${ownerId}`);

    expect(threads).toMatchObject([{ bookingId: null, messages: 1 }]);
  });

  it('rejects members with 403', async () => {
    const reply = await service.http.get('/api/admin/threads', { token: opened[0]?.owner });

    expect(reply.status).toBe(403);
  });
});

describe('GET /api/admin/work/messaging', () => {
  it('counts the dead letters, and rejects members with 403', async () => {
    const path = '/api/admin/work/messaging';
    const { admin: token, owner } = opened[0] as OpenThread;
    const count = async () => (await service.http.get(path, { token })).body.work;

    expect(await count()).toEqual([{ kind: 'dead-letter', count: 0, since: null, dueAt: null }]);
    expect((await service.http.get(path, { token: owner })).status).toBe(403);
  });
});
