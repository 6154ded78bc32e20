import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bookingCreated } from '@lendtools/testing';
import {
  type NotificationsService,
  startNotificationsService,
  type TestPerson,
} from '../../../test/notifications-service.ts';

let service: NotificationsService;
let owner: TestPerson;
let path: string;
beforeAll(async () => {
  service = await startNotificationsService();
  owner = await service.addPerson('Olga');
  path = `/api/user/${owner.id}/notifications`;
  const renter = await service.addPerson('Rita');
  for (const [i, toolName] of ['Drill', 'Ladder', 'Saw', 'Sander', 'Mixer'].entries()) {
    const parties = { ownerId: owner.id, renterId: renter.id };
    await service.broker.sendNew('BookingCreated', bookingCreated({ ...parties, toolName }));
    await service.expectNotices(owner, i + 1);
  }
});
afterAll(() => service.stop());

const toolsOf = (body: { notifications: { message: string }[] }) =>
  body.notifications.map(({ message }) => message.split(': ')[1]);

describe('GET /api/user/:userId/notifications', () => {
  it('lists the newest notices first, with the number of unread ones', async () => {
    const { status, body } = await service.http.get(path, { token: owner.token });

    expect(status).toBe(200);
    expect(toolsOf(body)).toEqual(['Mixer', 'Sander', 'Saw', 'Ladder', 'Drill']);
    expect(body).toMatchObject({ unread: 5, nextCursor: null });
  });

  it('pages notices without gaps or repeats', async () => {
    const first = await service.http.get(`${path}?limit=2`, { token: owner.token });
    const rest = await service.http.get(`${path}?limit=3&cursor=${first.body.nextCursor}`, {
      token: owner.token,
    });

    expect([...toolsOf(first.body), ...toolsOf(rest.body)]).toHaveLength(5);
    expect(toolsOf(rest.body)).toEqual(['Saw', 'Ladder', 'Drill']);
    expect(rest.body.nextCursor).toBeNull();
  });

  it('shows notices to their user only, not even to admins', async () => {
    const tokens = [
      undefined,
      await service.accounts.sign(),
      await service.accounts.sign({ role: 'Admin' }),
    ];

    const replies = await Promise.all(tokens.map((token) => service.http.get(path, { token })));

    expect(replies.map(({ status }) => status)).toEqual([401, 403, 403]);
  });

  it.each(['limit=201', 'limit=x', 'cursor=x'])(
    'rejects the query ?%s for notices',
    async (query) => {
      const reply = await service.http.get(`${path}?${query}`, { token: owner.token });

      expect(reply.status).toBe(400);
    },
  );
});
