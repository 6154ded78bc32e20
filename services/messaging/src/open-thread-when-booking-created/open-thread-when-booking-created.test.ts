import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { armFault } from '@lendtools/service-kit';
import { accountRegistered, bookingCreated, waitFor } from '@lendtools/testing';
import {
  type MessagingService,
  openThread,
  sendFirst,
  startMessagingService,
} from '../../test/messaging-service.ts';

const queue = 'messaging.open-thread-when-booking-created';

let service: MessagingService;
beforeAll(async () => {
  service = await startMessagingService();
});
afterAll(() => service.stop());

const expectThread = async (bookingId: string, ownerId: string) => {
  const token = await service.accounts.sign({ userId: ownerId });
  const path = `/api/messaging/${bookingId}/my-messages`;
  return waitFor('the thread', async () => {
    const reply = await service.http.get(path, { token });
    return reply.status === 200 && reply.body;
  });
};

describe('messaging.open-thread-when-booking-created', () => {
  it('opens a thread for the parties', async () => {
    const booking = bookingCreated();

    await service.broker.sendNew('BookingCreated', booking);

    expect(await expectThread(booking.bookingId, booking.ownerId)).toEqual({ messaging: [] });
  });

  it('keeps the first message when the event is delivered twice', async () => {
    const opened = await openThread(service);
    const messageId = await sendFirst(service, opened);
    const { bookingId, ownerId, renterId } = opened;

    await service.broker.sendNew(
      'BookingCreated',
      bookingCreated({ bookingId, ownerId, renterId }),
    );
    const marker = bookingCreated();
    await service.broker.sendNew('BookingCreated', marker);

    await expectThread(marker.bookingId, marker.ownerId);
    const { messaging } = await expectThread(bookingId, ownerId);
    expect(messaging).toMatchObject([{ id: messageId }]);
  });

  it('opens the thread before the names of its parties have arrived', async () => {
    const booking = bookingCreated();
    const { bookingId, ownerId, renterId } = booking;
    const renter = await service.accounts.sign({ userId: renterId });

    await service.broker.sendNew('BookingCreated', booking);
    const path = `/api/rentalBookings/${bookingId}/send-message`;
    const sent = await service.http.post(path, { token: renter, body: { message: 'Hello' } });
    await service.broker.sendNew('AccountRegistered', accountRegistered({ userId: renterId }));

    expect(sent.body.messaging.user.first_name).toBe('A neighbor');
    await waitFor('the name', async () => {
      const { messaging } = await expectThread(bookingId, ownerId);
      return messaging[0].user.first_name === 'Rita';
    });
  });

  it('consumes the event again when its acknowledgement fails', async () => {
    armFault('consumer.beforeAck:1:throw');
    const booking = bookingCreated();

    await service.broker.sendNew('BookingCreated', booking);

    expect(await expectThread(booking.bookingId, booking.ownerId)).toEqual({ messaging: [] });
    expect(await service.broker.countDead(queue)).toBe(0);
  });

  it('dead-letters an unreadable message and consumes the next one', async () => {
    const booking = bookingCreated();

    await service.broker.sendRaw(queue, 'not an event');
    await service.broker.sendNew('BookingCreated', booking);

    await expectThread(booking.bookingId, booking.ownerId);
    await waitFor('the dead letter', async () => (await service.broker.countDead(queue)) === 1);
  });
});
