import { randomUUIDv7 } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newEvent } from '@lendtools/event-bus';
import { armFault } from '@lendtools/service-kit';
import { waitFor } from '@lendtools/testing';
import {
  type MessagingService,
  type OpenThread,
  openThread,
  sendFirst,
  startMessagingService,
} from '../../test/messaging-service.ts';

const queue = 'messaging.hide-message-when-moderated';
const note = 'LendTools has hidden this message.';

let service: MessagingService;
beforeAll(async () => {
  service = await startMessagingService();
});
afterAll(() => service.stop());

const moderation = (contentId: string, version: number, hiddenReason: string | null = 'Rude.') =>
  newEvent(
    'ContentModerated',
    { id: contentId, version },
    { about: 'message', contentId, authorId: randomUUIDv7(), hiddenReason },
  );

/** A thread with a message of the renter and a reply of the owner. */
const talk = async () => {
  const opened = await openThread(service);
  const messageId = await sendFirst(service, opened);
  const { body } = await service.http.post(
    `/api/user/${opened.ownerId}/messaging/${messageId}/send-reply`,
    { token: opened.owner, body: { message: 'Pay me in cash.' } },
  );
  return { ...opened, messageId, replyId: body.reply.id as string };
};
type Talk = Awaited<ReturnType<typeof talk>>;

const texts = async ({ thread, renter, messageId }: Talk): Promise<string[]> => {
  const [first, replies] = await Promise.all([
    service.http.get(thread, { token: renter }),
    service.http.get(`/api/replies/${messageId}/my-replies`, { token: renter }),
  ]);
  return [...first.body.messaging, ...replies.body.replies].map(({ message }) => message);
};

const expectTexts = (about: Talk, expected: string[]) =>
  waitFor('the texts', async () => {
    const found = await texts(about);
    return JSON.stringify(found) === JSON.stringify(expected);
  });

const lastText = async ({ renterId, renter, bookingId }: OpenThread) => {
  const { body } = await service.http.get(`/api/user/${renterId}/threads/${bookingId}`, {
    token: renter,
  });
  return body.thread.last.text as string;
};

const [question, answered] = ['When can I come?', 'Pay me in cash.'];

describe(queue, () => {
  it('hides a reply, also in the list of threads, and shows it again', async () => {
    const about = await talk();

    await service.broker.send(moderation(about.replyId, 1));
    await expectTexts(about, [question, note]);
    await waitFor('the list', async () => (await lastText(about)) === note);
    await service.broker.send(moderation(about.replyId, 2, null));

    await expectTexts(about, [question, answered]);
    await waitFor('the list', async () => (await lastText(about)) === answered);
  });

  it('hides a first message', async () => {
    const about = await talk();

    await service.broker.send(moderation(about.messageId, 1));

    await expectTexts(about, [note, answered]);
  });

  it('ignores an earlier version that arrives late, a duplicate and an unknown message', async () => {
    const [about, next] = [await talk(), await talk()];
    const event = moderation(about.replyId, 2);

    for (const one of [event, moderation(about.replyId, 1, null), event])
      await service.broker.send(one);
    await service.broker.send(moderation(randomUUIDv7(), 1));
    await service.broker.send(moderation(next.replyId, 1));
    await expectTexts(next, [question, note]);

    expect(await texts(about)).toEqual([question, note]);
    expect(await service.broker.countDead(queue)).toBe(0);
  });

  it('takes effect when an acknowledgement is lost', async () => {
    const about = await talk();
    armFault('consumer.beforeAck:1:throw');

    await service.broker.send(moderation(about.replyId, 1));

    await expectTexts(about, [question, note]);
  });

  it('dead-letters an unreadable message', async () => {
    await service.broker.sendRaw(queue, '{"type":"Nonsense"}');

    await waitFor('the dead letter', async () => (await service.broker.countDead(queue)) === 1);
  });
});

describe('GET /internal/messages/:id', () => {
  it('shows a message or reply to the parties of its thread only, until it is hidden', async () => {
    const about = await talk();
    const stranger = await service.accounts.sign({ userId: randomUUIDv7() });
    const read = (id: string, token?: string) =>
      service.http.get(`/internal/messages/${id}`, { token });

    const reply = await read(about.replyId, about.renter);
    const message = await read(about.messageId, about.owner);
    const others = await Promise.all([
      read(about.replyId, stranger),
      read(about.replyId, about.admin),
      read(about.replyId),
    ]);
    await service.broker.send(moderation(about.replyId, 1));
    await expectTexts(about, [question, note]);

    expect(reply.body).toMatchObject({
      content: answered,
      authorId: about.ownerId,
      bookingId: about.bookingId,
    });
    expect(message.body).toMatchObject({ content: question, authorId: about.renterId });
    expect(others.map(({ status }) => status)).toEqual([404, 404, 401]);
    expect((await read(about.replyId, about.renter)).status).toBe(404);
  });
});
