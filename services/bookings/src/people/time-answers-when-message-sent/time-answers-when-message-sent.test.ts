import { randomUUID, randomUUIDv7 } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EventData } from '@lendtools/contracts';
import { newEvent } from '@lendtools/event-bus';
import { waitFor } from '@lendtools/testing';
import {
  type BookingsService,
  failFirstWrites,
  startBookingsService,
} from '../../../test/bookings-service.ts';

const queue = 'bookings.time-answers-when-message-sent';

let service: BookingsService;
beforeAll(async () => {
  service = await startBookingsService();
});
afterAll(() => service.stop());

const [openedAt, answeredAt, later] = [
  '2026-11-02T08:00:00.000Z',
  '2026-11-02T09:30:00.000Z',
  '2026-11-02T10:00:00.000Z',
];

/** An id of a thread that was opened some days ago. */
const threadOpened = (daysAgo: number): string => {
  const time = (Date.now() - daysAgo * 86_400_000).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUIDv7().slice(15)}`;
};

/** A question of a renter about a tool, and the events about it. */
const question = (threadId: string = randomUUIDv7()) => {
  const [ownerId, renterId, messageId] = Array.from({ length: 3 }, () => randomUUID());
  const message = (fromUserId = renterId, sentAt = openedAt) => ({
    messageId: messageId as string,
    bookingId: threadId,
    fromUserId: fromUserId as string,
    fromFirstName: 'Rita',
    fromLastName: 'Renter',
    toUserId: (fromUserId === renterId ? ownerId : renterId) as string,
    toolName: 'Hammer drill',
    text: 'Is it loud?',
    sentAt: sentAt as string,
    question: { toolId: randomUUID(), ownerId: ownerId as string },
  });
  const reply = (sentAt = answeredAt, fromUserId = ownerId): EventData<'ReplySent'> => ({
    replyId: randomUUID(),
    ...message(fromUserId, sentAt),
  });
  const id = threadId;
  return {
    threadId: id,
    opened: newEvent('MessageSent', { id, version: 1 }, message()),
    answered: newEvent('ReplySent', { id, version: 2 }, reply()),
    renterWrote: newEvent('ReplySent', { id, version: 3 }, reply(answeredAt, renterId)),
    answeredAgain: newEvent('ReplySent', { id, version: 4 }, reply(later)),
    continued: newEvent(
      'ThreadChanged',
      { id: randomUUID(), version: 1 },
      {
        bookingId: randomUUID(),
        ownerId: ownerId as string,
        renterId: renterId as string,
        messageId: messageId as string,
        questionId: id,
      },
    ),
  };
};

const send = async (...events: Parameters<typeof service.broker.send>[0][]): Promise<void> => {
  for (const event of events) {
    await service.broker.send(event);
    await waitFor('the event to be handled', async () => {
      const { rowCount } = await service.pool.query(
        'SELECT FROM inbox_messages WHERE queue = $1 AND event_id = $2',
        [queue, event.id],
      );
      return rowCount;
    });
  }
};

const stored = async (threadId: string) => {
  const { rows } = await service.pool.query(
    `SELECT sent_at AS "sentAt", answered_at AS "answeredAt", is_continued AS "isContinued"
     FROM question_answers WHERE thread_id = $1`,
    [threadId],
  );
  return rows.map(({ sentAt: sent, answeredAt: answered, isContinued }) => [
    sent?.toISOString() ?? null,
    answered?.toISOString() ?? null,
    isContinued,
  ]);
};

describe(queue, () => {
  it('stores when a question was sent and first answered by the owner', async () => {
    const one = question();

    await send(one.opened, one.renterWrote);
    const open = await stored(one.threadId);
    await send(one.answered, one.answeredAgain);

    expect(open).toEqual([[openedAt, null, false]]);
    expect(await stored(one.threadId)).toEqual([[openedAt, answeredAt, false]]);
  });

  it('stores the same in any order, and ignores a duplicate', async () => {
    const one = question();

    await send(one.continued, one.answeredAgain, one.answered, one.answered, one.opened);

    expect(await stored(one.threadId)).toEqual([[openedAt, answeredAt, true]]);
  });

  it('ignores a thread whose row may be purged', async () => {
    const one = question(threadOpened(31));

    await send(one.opened, one.answered, one.continued);

    expect(await stored(one.threadId)).toEqual([]);
  });

  it('ignores the messages of bookings', async () => {
    const one = question();
    const { question: _, ...data } = one.opened.data;

    await send(newEvent('MessageSent', { id: one.threadId, version: 1 }, data));

    expect(await stored(one.threadId)).toEqual([]);
  });

  it('retries after a failure, and dead-letters an unreadable message', async () => {
    const one = question();

    await service.broker.sendRaw(queue, '{"type":"Nonsense"}');
    await failFirstWrites(service.pool, 'question_answers', 2);
    await send(one.opened);

    expect(await stored(one.threadId)).toEqual([[openedAt, null, false]]);
    await waitFor('the dead letter', async () => (await service.broker.countDead(queue)) === 1);
  });
});
