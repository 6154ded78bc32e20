import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type MessagingService,
  openQuestion,
  openThread,
  sendFirst,
  startMessagingService,
} from '../../test/messaging-service.ts';

let service: MessagingService;
beforeAll(async () => {
  service = await startMessagingService();
});
afterAll(() => service.stop());

const offer = {
  start_date: '2026-12-05',
  start_time: '9.00 AM',
  end_date: '2026-12-06',
  end_time: '6.00 PM',
  quantity: 1,
};
const pathOf = (userId: string, messageId: string) =>
  `/api/user/${userId}/messaging/${messageId}/answer`;

describe('POST /api/user/:userId/messaging/:messageId/answer', () => {
  it('offers dates, which the renter reads with the reply and gets as an event', async () => {
    const { ownerId, owner, renterId, renter, messageId } = await openQuestion(service);

    const sent = await service.http.post(pathOf(ownerId, messageId), {
      token: owner,
      body: { kind: 'offer', message: 'How about the weekend?', offer },
    });

    const { body } = await service.http.get(`/api/replies/${messageId}/my-replies`, {
      token: renter,
    });
    const answer = { kind: 'offer', offer };
    expect(sent).toMatchObject({ status: 201, body: { reply: { answer } } });
    expect(body.replies).toMatchObject([{ message: 'How about the weekend?', answer }]);
    const event = await service.broker.expectEvent(
      'ReplySent',
      ({ toUserId }) => toUserId === renterId,
    );
    expect(event.data).toMatchObject({ answer });
  });

  it('declines with a reason', async () => {
    const { ownerId, owner, messageId } = await openQuestion(service);

    const sent = await service.http.post(pathOf(ownerId, messageId), {
      token: owner,
      body: { kind: 'decline', message: 'It is being repaired.' },
    });

    expect(sent.body.reply).toMatchObject({
      message: 'It is being repaired.',
      answer: { kind: 'decline', offer: null },
    });
  });

  it('lets only the owner of the tool answer', async () => {
    const { renterId, renter, messageId } = await openQuestion(service);
    const body = { kind: 'decline', message: 'No.' };

    const asRenter = await service.http.post(pathOf(renterId, messageId), { token: renter, body });
    const admin = await service.accounts.sign({ userId: renterId, role: 'Admin' });
    const asAdmin = await service.http.post(pathOf(renterId, messageId), { token: admin, body });

    expect([asRenter.status, asAdmin.status]).toEqual([404, 404]);
  });

  it('answers only questions, not the messages of a booking', async () => {
    const booked = await openThread(service);
    const messageId = await sendFirst(service, booked);

    const { status } = await service.http.post(pathOf(booked.ownerId, messageId), {
      token: booked.owner,
      body: { kind: 'decline', message: 'It is being repaired.' },
    });

    expect(status).toBe(404);
  });

  it.each([
    ['an offer without dates', { kind: 'offer', message: 'When?' }],
    ['a decline with dates', { kind: 'decline', message: 'No', offer }],
    ['a decline without a reason', { kind: 'decline', message: ' ' }],
    [
      'an end before the start',
      { kind: 'offer', message: 'So', offer: { ...offer, end_date: '2026-12-04' } },
    ],
    ['another kind', { kind: 'accept', message: 'Yes' }],
  ])('rejects %s with 400', async (_, body) => {
    const { ownerId, owner, messageId } = await openQuestion(service);

    const { status } = await service.http.post(pathOf(ownerId, messageId), { token: owner, body });

    expect(status).toBe(400);
  });
});
