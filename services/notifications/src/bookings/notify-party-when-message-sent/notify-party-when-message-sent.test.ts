import { randomUUIDv7 } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@lendtools/testing';
import { testConsumer } from '../../../test/consumer-tests.ts';
import {
  bookTool,
  messageSent,
  type NotificationsService,
  startNotificationsService,
} from '../../../test/notifications-service.ts';

const queue = 'notifications.notify-party-when-message-sent';

let service: NotificationsService;
beforeAll(async () => {
  service = await startNotificationsService();
});
afterAll(() => service.stop());

type Booked = Awaited<ReturnType<typeof bookTool>>;

const toOwner = ({ booking, owner, renter }: Booked, text = 'When can I come?') =>
  messageSent({ bookingId: booking.bookingId, fromUserId: renter.id, toUserId: owner.id, text });

const wrote = ({ owner }: Booked) =>
  service.emailsTo(owner.email).filter(({ subject }) => /wrote to you/.test(subject));

describe(queue, () => {
  it('sends the other party a notice, and an email if the message stays unread', async () => {
    const booked = await bookTool(service);

    await service.broker.sendNew('MessageSent', toOwner(booked, 'When\n can <b>I</b> come?'));

    const [notice] = await service.expectNotices(booked.owner, 2);
    const email = await service.expectEmail(booked.owner.email, /wrote to you/);
    expect(notice).toMatchObject({
      kind: 'message',
      message: 'Rita about Cordless drill: “When can <b>I</b> come?”',
      bookingId: booked.booking.bookingId,
    });
    expect(email.subject).toBe('Rita wrote to you about Cordless drill');
    expect(email.html).toContain('can &lt;b&gt;I&lt;/b&gt; come?');
    expect(email.text).toContain(`/user/my-bookings-details?id=${booked.booking.bookingId}`);
    expect(await service.noticesOf(booked.renter)).toHaveLength(1);
  });

  it('notifies the owner of a question about a tool, and the renter of the answer, with a link to it', async () => {
    const [owner, renter] = [await service.addPerson('Olga'), await service.addPerson('Rita')];
    const question = { toolId: randomUUIDv7(), ownerId: owner.id };
    const sent = messageSent({ fromUserId: renter.id, toUserId: owner.id, question });
    const { bookingId } = sent;

    await service.broker.sendNew('MessageSent', sent);
    await service.broker.sendNew('ReplySent', {
      ...messageSent({ bookingId, fromUserId: owner.id, toUserId: renter.id, question }),
      replyId: randomUUIDv7(),
    });

    const [toOwner] = await service.expectNotices(owner, 1);
    const [toRenter] = await service.expectNotices(renter, 1);
    const email = await service.expectEmail(owner.email, /wrote to you/);
    expect(toOwner).toMatchObject({ kind: 'question', bookingId });
    expect(toRenter).toMatchObject({ kind: 'question', bookingId });
    expect(email.text).toContain(`/user/conversation?id=${bookingId}`);
  });

  it('sends one email for all unread messages, and another for a message that arrives after they were read', async () => {
    const booked = await bookTool(service);
    const { owner } = booked;
    const reply = { replyId: randomUUIDv7(), ...toOwner(booked) };

    await service.broker.sendNew('MessageSent', toOwner(booked));
    await service.expectNotices(owner, 2);
    await service.broker.sendNew('ReplySent', reply);
    await service.expectNotices(owner, 3);
    await service.expectEmail(owner.email, /wrote to you/);
    const readAll = `/api/user/${owner.id}/notifications/read-all`;
    await service.http.put(readAll, { token: owner.token });
    await service.broker.sendNew('ReplySent', {
      ...reply,
      replyId: randomUUIDv7(),
      text: 'Hello?',
    });
    await service.expectNotices(owner, 4);
    await waitFor('the second email', () => wrote(booked).length > 1);

    expect(wrote(booked).map(({ text }) => /“(.*)”/.exec(text)?.[1])).toEqual([
      'When can I come?',
      'Hello?',
    ]);
  });

  testConsumer(
    queue,
    () => service,
    async (isSynced) => {
      const booked = await bookTool(service);
      // A random id stands for a booking whose event is still in transit.
      const bookingId = isSynced ? booked.booking.bookingId : randomUUIDv7();
      const message = { ...toOwner(booked), bookingId };
      return {
        send: () => service.broker.sendNew('MessageSent', message),
        countEffects: () => wrote(booked).length,
        addMissingData: () =>
          service.broker.sendNew('BookingCreated', { ...booked.booking, bookingId }),
      };
    },
  );
});
