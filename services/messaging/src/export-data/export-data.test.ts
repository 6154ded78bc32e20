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

describe('GET /internal/users/:userId/data-of-messaging', () => {
  it('returns what the caller wrote, and not what others wrote', async () => {
    const opened = await openThread(service);
    await sendFirst(service, opened);
    const ofUser = (userId: string, token: string) =>
      service.http.get(`/internal/users/${userId}/data-of-messaging`, { token });

    const ofRenter = await ofUser(opened.renterId, opened.renter);
    const ofOwner = await ofUser(opened.ownerId, opened.owner);

    const all = [...ofRenter.body.files.messages, ...ofOwner.body.files.messages];
    expect(all).toMatchObject([{ thread: opened.bookingId, text: expect.any(String) }]);
    expect((await ofUser(opened.renterId, opened.owner)).status).toBe(403);
  });
});
