import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { armFault } from '@lendtools/service-kit';
import { bookingCreated, waitFor } from '@lendtools/testing';
import {
  approvalRequested,
  type MessagingService,
  openThread,
  sendFirst,
  startMessagingService,
} from '../../test/messaging-service.ts';

const queue = 'messaging.open-thread-when-approval-requested';

let service: MessagingService;
beforeAll(async () => {
  service = await startMessagingService();
});
afterAll(() => service.stop());

const expectThread = async (bookingId: string, userId: string) => {
  const token = await service.accounts.sign({ userId });
  const path = `/api/messaging/${bookingId}/my-messages`;
  return waitFor('the thread', async () => {
    const reply = await service.http.get(path, { token });
    return reply.status === 200 && reply.body;
  });
};

describe('messaging.open-thread-when-approval-requested', () => {
  it('lets both parties write before the owner has answered', async () => {
    const request = approvalRequested();
    const { bookingId, ownerId, renterId } = request;
    await service.broker.sendNew('ApprovalRequested', request);
    await expectThread(bookingId, ownerId);

    const sent = await service.http.post(`/api/rentalBookings/${bookingId}/send-message`, {
      token: await service.accounts.sign({ userId: renterId }),
      body: { message: 'Does it come with blades?' },
    });
    const replied = await service.http.post(
      `/api/user/${ownerId}/messaging/${sent.body.messaging.id}/send-reply`,
      { token: await service.accounts.sign({ userId: ownerId }), body: { message: 'Two.' } },
    );

    expect([sent.status, replied.status]).toEqual([201, 201]);
    const stranger = await service.accounts.sign({});
    const reply = await service.http.get(`/api/messaging/${bookingId}/my-messages`, {
      token: stranger,
    });
    expect(reply.status).toBe(404);
  });

  it('keeps the messages when the request becomes a booking, or the booking’s change is requested', async () => {
    const opened = await openThread(service);
    const messageId = await sendFirst(service, opened);
    const { bookingId, ownerId, renterId } = opened;
    const parties = { bookingId, ownerId, renterId };

    await service.broker.sendNew('ApprovalRequested', approvalRequested(parties));
    await service.broker.sendNew('BookingCreated', bookingCreated(parties));
    const marker = approvalRequested();
    await service.broker.sendNew('ApprovalRequested', marker);

    await expectThread(marker.bookingId, marker.ownerId);
    const { messaging } = await expectThread(bookingId, ownerId);
    expect(messaging).toMatchObject([{ id: messageId }]);
  });

  it('consumes the event again when its acknowledgement fails', async () => {
    armFault('consumer.beforeAck:1:throw');
    const request = approvalRequested();

    await service.broker.sendNew('ApprovalRequested', request);

    expect(await expectThread(request.bookingId, request.renterId)).toEqual({ messaging: [] });
    expect(await service.broker.countDead(queue)).toBe(0);
  });

  it('dead-letters an unreadable message and consumes the next one', async () => {
    const request = approvalRequested();

    await service.broker.sendRaw(queue, 'not an event');
    await service.broker.sendNew('ApprovalRequested', request);

    await expectThread(request.bookingId, request.ownerId);
    await waitFor('the dead letter', async () => (await service.broker.countDead(queue)) === 1);
  });
});
