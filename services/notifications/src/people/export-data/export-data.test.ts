import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@lendtools/testing';
import {
  bookTool,
  type NotificationsService,
  startNotificationsService,
} from '../../../test/notifications-service.ts';

let service: NotificationsService;
beforeAll(async () => {
  service = await startNotificationsService();
});
afterAll(() => service.stop());

describe('GET /internal/users/:userId/data-of-notifications', () => {
  it("returns the caller's notices, preferences and the log of emails to the caller", async () => {
    const { owner, renter } = await bookTool(service);
    const path = `/internal/users/${owner.id}/data-of-notifications`;

    const files = await waitFor('the emails', async () => {
      const { body } = await service.http.get(path, owner);
      return body.files.emails.length > 0 && body.files;
    });
    const others = await service.http.get(path, renter);

    expect(files.notices).toMatchObject([{ kind: 'tool-booked' }]);
    expect(files.preferences).toMatchObject([{ emails: { lending: true } }]);
    expect(files.emails[0]).toMatchObject({ to: owner.email, queuedAt: expect.any(String) });
    expect(others.status).toBe(403);
  });
});
