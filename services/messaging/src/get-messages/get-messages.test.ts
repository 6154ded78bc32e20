import { randomUUIDv7 } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
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

describe('GET /api/messaging/:bookingId/my-messages', () => {
  it('replies with an empty list before a thread’s first message', async () => {
    const { thread, owner } = await openThread(service);

    const reply = await service.http.get(thread, { token: owner });

    expect(reply).toMatchObject({ status: 200, body: { messaging: [] } });
  });

  it('shows the message to the parties and admins only', async () => {
    const opened = await openThread(service);
    await sendFirst(service, opened);
    const stranger = await service.accounts.sign();

    const statuses: number[] = [];
    for (const token of [opened.owner, opened.renter, opened.admin, stranger, undefined])
      statuses.push((await service.http.get(opened.thread, { token })).status);

    expect(statuses).toEqual([200, 200, 200, 404, 401]);
  });

  it('records an admin who reads it, and rejects a finance admin', async () => {
    const opened = await openThread(service);
    const [adminId, financeId] = [randomUUIDv7(), randomUUIDv7()];
    const support = await service.accounts.sign({ userId: adminId, role: 'Support' });
    const finance = await service.accounts.sign({ userId: financeId, role: 'Finance' });

    const rejected = await service.http.get(opened.thread, { token: finance });
    const { headers } = await service.http.get(opened.thread, { token: support });

    expect(rejected.status).toBe(404);
    const { data } = await service.broker.expectEvent(
      'AdminActedInMessaging',
      ({ subject }) => subject === opened.bookingId,
    );
    expect(data).toMatchObject({
      actorId: adminId,
      actorRole: 'Support',
      action: 'myMessages',
      details: {},
      requestId: headers.get('x-request-id'),
    });
    const acts = service.broker.received.filter(
      (event) =>
        event.type === 'AdminActedInMessaging' &&
        [financeId, opened.ownerId].includes(event.data.actorId),
    );
    expect(acts).toEqual([]);
  });
});
