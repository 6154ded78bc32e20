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
});
