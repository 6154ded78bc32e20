import { randomUUIDv7 } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bookingCreated } from '@lendtools/testing';
import {
  bookTool,
  messageSent,
  type NotificationsService,
  startNotificationsService,
} from '../../../test/notifications-service.ts';

let service: NotificationsService;
let booked: Awaited<ReturnType<typeof bookTool>>;
beforeAll(async () => {
  service = await startNotificationsService();
  booked = await bookTool(service);
  const { booking, owner, renter } = booked;
  await service.broker.sendNew(
    'MessageSent',
    messageSent({ bookingId: booking.bookingId, fromUserId: renter.id, toUserId: owner.id }),
  );
  await service.expectNotices(owner, 2);
});
afterAll(() => service.stop());

const send = (token: string, body: unknown) =>
  service.http.post('/api/send-notification', { token, body });
const sendMessaging = (token: string, userId: string) =>
  service.http.post('/api/send-messaging-notification', { token, body: { userId } });
const add = (token: string, ownerId: string) =>
  service.http.post(`/api/user/${ownerId}/notifications/add-notification`, {
    token,
    body: { message: 'Your tool has just been booked', userId: ownerId },
  });

describe('each documented notification call', () => {
  it('returns the notices that events have created, and creates none', async () => {
    const { owner, renter } = booked;
    const [message, toolBooked] = await service.noticesOf(owner);
    const body = { toolOwner_id: owner.id, bookingName: 'Cordless drill' };

    const replies = [
      await send(renter.token, body),
      await send(renter.token, body),
      await add(renter.token, owner.id),
      await sendMessaging(renter.token, owner.id),
      await sendMessaging(renter.token, renter.id),
    ];

    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(replies.map((reply) => reply.body.notifications)).toEqual([
      [toolBooked],
      [toolBooked],
      [toolBooked],
      [message],
      [message],
    ]);
    expect(await service.noticesOf(owner)).toEqual([message, toolBooked]);
  });

  it('rejects a user who has no booking with the given owner, tool or recipient', async () => {
    const { owner, renter } = booked;
    const stranger = await service.accounts.sign();
    const body = { toolOwner_id: owner.id, bookingName: 'Cordless drill' };

    const replies = await Promise.all([
      send(stranger, body),
      send(owner.token, body),
      send(renter.token, { ...body, bookingName: 'Ladder' }),
      send(renter.token, { ...body, toolOwner_id: randomUUIDv7() }),
      sendMessaging(stranger, owner.id),
      sendMessaging(renter.token, randomUUIDv7()),
      add(stranger, owner.id),
      add(owner.token, renter.id),
    ]);

    expect(replies.map((reply) => [reply.status, reply.body.code])).toEqual(
      Array(8).fill([404, 'BOOKING_NOT_FOUND']),
    );
  });

  it("returns no notices of another user's messages", async () => {
    const { owner, renter } = booked;

    const reply = await sendMessaging(owner.token, renter.id);

    expect(reply).toMatchObject({ status: 200, body: { notifications: [] } });
  });

  it('waits briefly for a booking whose event is in transit', async () => {
    const [owner, renter] = [await service.addPerson('Olga'), await service.addPerson('Rita')];

    const sending = add(renter.token, owner.id);
    const parties = { ownerId: owner.id, renterId: renter.id };
    await service.broker.sendNew('BookingCreated', bookingCreated(parties));

    expect((await sending).status).toBe(200);
  });

  it.each([
    {},
    { toolOwner_id: 'x', bookingName: 'Drill' },
    { toolOwner_id: { $ne: null }, bookingName: { $gt: '' } },
  ])('rejects the body %j', async (body) => {
    const reply = await send(booked.renter.token, body);

    expect([reply.status, reply.body.code]).toEqual([400, 'VALIDATION_FAILED']);
  });

  it('requires a login', async () => {
    const { owner } = booked;

    const replies = [
      await service.http.post('/api/send-notification', { body: {} }),
      await service.http.post('/api/send-messaging-notification', { body: {} }),
      await service.http.post(`/api/user/${owner.id}/notifications/add-notification`, { body: {} }),
    ];

    expect(replies.map(({ status }) => status)).toEqual([401, 401, 401]);
  });
});
