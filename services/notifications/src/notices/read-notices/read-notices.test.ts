import { randomUUIDv7 } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bookingCreated } from '@lendtools/testing';
import {
  bookTool,
  type NotificationsService,
  startNotificationsService,
  type TestPerson,
} from '../../../test/notifications-service.ts';

let service: NotificationsService;
beforeAll(async () => {
  service = await startNotificationsService();
});
afterAll(() => service.stop());

const put = (userId: string, what: string, { token }: TestPerson) =>
  service.http.put(`/api/user/${userId}/notifications/${what}`, { token });

describe('PUT /api/user/:userId/notifications/:id/read', () => {
  it('marks a notice as read, and does not change the time when the request is repeated', async () => {
    const { owner } = await bookTool(service);
    const [notice] = await service.noticesOf(owner);

    const first = await put(owner.id, `${notice?.id}/read`, owner);
    const again = await put(owner.id, `${notice?.id}/read`, owner);

    expect(first).toMatchObject({ status: 200, body: { notification: { id: notice?.id } } });
    expect(first.body.notification.readAt).not.toBeNull();
    expect(again.body).toEqual(first.body);
    expect(await service.noticesOf(owner)).toEqual([first.body.notification]);
  });

  it("rejects another user's notice", async () => {
    const { owner, renter } = await bookTool(service);
    const [notice] = await service.noticesOf(owner);

    const replies = [
      await put(renter.id, `${notice?.id}/read`, renter),
      await put(owner.id, `${notice?.id}/read`, renter),
      await put(owner.id, `${randomUUIDv7()}/read`, owner),
      await put(owner.id, 'x/read', owner),
    ];

    expect(replies.map(({ status }) => status)).toEqual([404, 403, 404, 400]);
    expect(await service.noticesOf(owner)).toEqual([notice]);
  });
});

describe('PUT /api/user/:userId/notifications/read-all', () => {
  it("marks only the user's own notices as read", async () => {
    const { owner, renter } = await bookTool(service);

    const rejected = await put(owner.id, 'read-all', renter);
    const done = await put(owner.id, 'read-all', owner);

    const [owners, renters] = [await service.noticesOf(owner), await service.noticesOf(renter)];
    expect(rejected.status).toBe(403);
    expect(done).toMatchObject({ status: 200, body: { unread: 0 } });
    expect(owners.every(({ readAt }) => readAt !== null)).toBe(true);
    expect(renters.every(({ readAt }) => readAt === null)).toBe(true);
  });

  it('marks only the notices of a booking as read if the body names the booking', async () => {
    const { owner, renter, booking } = await bookTool(service);
    const other = bookingCreated({ ownerId: owner.id, renterId: renter.id });
    await service.broker.sendNew('BookingCreated', other);
    await service.expectNotices(owner, 2);

    const done = await put(owner.id, `read-all?bookingId=${booking.bookingId}`, owner);

    const unread = (await service.noticesOf(owner)).filter(({ readAt }) => readAt === null);
    expect(done).toMatchObject({ status: 200, body: { unread: 1 } });
    expect(unread.map(({ bookingId }) => bookingId)).toEqual([other.bookingId]);
  });
});
