import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type MessagingService,
  type OpenThread,
  openThread,
  sendFirst,
  startMessagingService,
} from '../../test/messaging-service.ts';

let service: MessagingService;
let opened: OpenThread;
let path: string;
let sent: { id: string; message: string; place: number }[];

beforeAll(async () => {
  service = await startMessagingService();
  opened = await openThread(service);
  const messageId = await sendFirst(service, opened);
  path = `/api/replies/${messageId}/my-replies`;
  sent = [];
  for (const message of ['one', 'two', 'three', 'four', 'five']) {
    const { body } = await service.http.post(
      `/api/user/${opened.ownerId}/messaging/${messageId}/send-reply`,
      { token: opened.owner, body: { message } },
    );
    sent.push(body.reply);
  }
});
afterAll(() => service.stop());

describe('GET /api/replies/:messageId/my-replies', () => {
  it('lists all replies to a message, oldest first', async () => {
    const reply = await service.http.get(path, { token: opened.renter });

    expect(reply).toMatchObject({ status: 200, body: { replies: sent, nextCursor: null } });
    expect(sent.map(({ place }) => place)).toEqual([1, 2, 3, 4, 5]);
  });

  it('pages replies by cursor without a gap or a repeat', async () => {
    const first = await service.http.get(`${path}?limit=2`, { token: opened.renter });
    const second = await service.http.get(`${path}?limit=3&cursor=${first.body.nextCursor}`, {
      token: opened.renter,
    });

    expect([...first.body.replies, ...second.body.replies]).toEqual(sent);
    expect(second.body.nextCursor).toBeNull();
  });

  it('starts at the first reply when the cursor is empty', async () => {
    const reply = await service.http.get(`${path}?cursor=`, { token: opened.renter });

    expect(reply.body.replies).toEqual(sent);
  });

  it('lists the replies after a given one', async () => {
    const reply = await service.http.get(`${path}?after=${sent[2]?.id}`, { token: opened.renter });

    expect(reply.body.replies).toEqual(sent.slice(3));
  });

  it('shows replies only to the parties and admins', async () => {
    const stranger = await service.accounts.sign();
    const statuses: number[] = [];

    for (const token of [opened.owner, opened.admin, stranger, undefined])
      statuses.push((await service.http.get(path, { token })).status);

    expect(statuses).toEqual([200, 200, 404, 401]);
  });

  it.each(['limit=201', 'limit=0', 'cursor=x', 'after=x'])(
    'rejects the query ?%s',
    async (query) => {
      const reply = await service.http.get(`${path}?${query}`, { token: opened.owner });

      expect(reply.status).toBe(400);
    },
  );

  it('ignores MongoDB operators in the query string', async () => {
    const query = 'cursor[$gt]=1&limit[$ne]=1';

    const reply = await service.http.get(`${path}?${query}`, { token: opened.owner });

    expect(reply.status).toBe(200);
  });

  it('replies 404 when the message does not exist', async () => {
    const reply = await service.http.get(`/api/replies/${randomUUID()}/my-replies`, {
      token: opened.owner,
    });

    expect([reply.status, reply.body.code]).toEqual([404, 'MESSAGE_NOT_FOUND']);
  });
});
