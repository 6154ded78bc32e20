import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { armFault } from '@lendtools/service-kit';
import { bookingCancelled, bookingCreated, waitFor } from '@lendtools/testing';
import {
  block,
  bookingCompleted,
  type MessagingService,
  type OpenThread,
  openThread,
  sendFirst,
  startMessagingService,
} from '../../test/messaging-service.ts';

const queue = 'messaging.close-thread-when-booking-over';
const dayMs = 86_400_000;

let service: MessagingService;
beforeAll(async () => {
  service = await startMessagingService();
});
afterAll(() => service.stop());

const threads = () => service.database.collection<{ _id: string; overAt?: Date }>('threads');
const overAt = async (bookingId: string) => (await threads().findOne({ _id: bookingId }))?.overAt;
const moveEnd = (bookingId: string, days: number) =>
  threads().updateOne(
    { _id: bookingId },
    { $set: { overAt: new Date(Date.now() - days * dayMs) } },
  );

const events = {
  BookingCompleted: bookingCompleted,
  BookingCancelled: bookingCancelled,
};

const startedAndCancelled = bookingCancelled({ startsAt: '2020-01-01T12:00:00.000Z' });

const end = async (
  by: keyof typeof events,
  { bookingId, ownerId, renterId }: Pick<OpenThread, 'bookingId' | 'ownerId' | 'renterId'>,
): Promise<void> => {
  await service.broker.sendNew(by, events[by]({ bookingId, ownerId, renterId }));
  await waitFor('the end', () => overAt(bookingId));
};

describe(queue, () => {
  it.each(['BookingCompleted', 'BookingCancelled'] as const)(
    'lets the parties write for 30 days after %s, and only read after that',
    async (by) => {
      const opened = await openThread(service);
      const { bookingId, renterId, renter, thread } = opened;
      const messageId = await sendFirst(service, opened);
      const path = `/api/user/${renterId}/messaging/${messageId}/send-reply`;
      const write = () =>
        service.http.post(path, { token: renter, body: { message: 'I left my gloves.' } });
      const isClosed = async () =>
        (await service.http.get(`/api/user/${renterId}/threads/${bookingId}`, { token: renter }))
          .body.thread.isClosed;

      await end(by, opened);
      await moveEnd(bookingId, 29);
      const [early, isClosedEarly] = [await write(), await isClosed()];
      await moveEnd(bookingId, 30);
      const [late, isClosedLate] = [await write(), await isClosed()];

      expect([early.status, isClosedEarly]).toEqual([201, false]);
      expect([late.status, late.body.code, isClosedLate]).toEqual([409, 'THREAD_CLOSED', true]);
      const read = await service.http.get(thread, { token: renter });
      expect(read.body.messaging).toHaveLength(1);
    },
  );

  const ends = [
    ['completes by itself', 'BookingCompleted', bookingCompleted()],
    ['is cancelled after its start', 'BookingCancelled', startedAndCancelled],
  ] as const;
  it.each(ends)(
    'stays open for a blocked pair whose booking %s until the return',
    async (_, type, data) => {
      const opened = await openThread(service);
      const { bookingId, ownerId, renterId, renter } = opened;
      const parties = { bookingId, ownerId, renterId, toolId: data.toolId, toolName: 'Drill' };
      const isClosed = async () =>
        (await service.http.get(`/api/user/${renterId}/threads/${bookingId}`, { token: renter }))
          .body.thread.isClosed;
      await sendFirst(service, opened);
      await block(service, ownerId, renterId);

      await service.broker.sendNew(type, { ...data, ...parties }, { id: bookingId, version: 3 });
      await waitFor('the end', () => overAt(bookingId));
      const isClosedWhileOut = await isClosed();
      const returned = { ...parties, quantity: 1 };
      await service.broker.sendNew('BookingReturned', returned, { id: bookingId, version: 4 });

      expect(isClosedWhileOut).toBe(false);
      await waitFor('the thread to close', isClosed);
    },
  );

  it('closes the thread of a blocked pair whose return arrives before the end', async () => {
    const opened = await openThread(service);
    const { bookingId, ownerId, renterId, renter } = opened;
    const completed = bookingCompleted({ bookingId, ownerId, renterId });
    const { toolId, toolName } = completed;
    const returned = { bookingId, ownerId, renterId, toolId, toolName, quantity: 1 };
    await block(service, ownerId, renterId);

    await service.broker.sendNew('BookingReturned', returned, { id: bookingId, version: 4 });
    await service.broker.sendNew('BookingCompleted', completed, { id: bookingId, version: 3 });
    await waitFor('the end', () => overAt(bookingId));

    const path = `/api/user/${renterId}/threads/${bookingId}`;
    expect((await service.http.get(path, { token: renter })).body.thread.isClosed).toBe(true);
  });

  it('keeps the end of a booking whose own event arrives later, and of a duplicate', async () => {
    const booking = bookingCreated();
    const { bookingId, ownerId } = booking;

    for (const _ of [1, 2]) await end('BookingCancelled', booking);
    await service.broker.sendNew('BookingCreated', booking);
    const marker = bookingCreated();
    await service.broker.sendNew('BookingCreated', marker);

    await waitFor('the marker', () => threads().findOne({ _id: marker.bookingId }));
    expect(await threads().findOne({ _id: bookingId })).toMatchObject({
      ownerId,
      overAt: expect.any(Date),
    });
    expect(await threads().findOne({ _id: bookingId })).not.toHaveProperty('isUnpaid');
  });

  it('consumes the event again when its acknowledgement fails', async () => {
    armFault('consumer.beforeAck:1:throw');

    await end('BookingCompleted', bookingCreated());

    expect(await service.broker.countDead(queue)).toBe(0);
  });

  it('dead-letters an unreadable message and consumes the next one', async () => {
    await service.broker.sendRaw(queue, 'not an event');

    await end('BookingCompleted', bookingCreated());

    await waitFor('the dead letter', async () => (await service.broker.countDead(queue)) === 1);
  });
});
