import { routes } from '@lendtools/contracts';
import { handle, readCursor, splitPage } from '@lendtools/service-kit';
import type { Deps } from '../deps.ts';

const pageSize = 50;

/** Lists threads without their texts, which admins can read on the booking's page. */
export const listThreads = ({ threads, replies, people }: Deps) =>
  handle(routes.threads, async ({ query }) => {
    const { limit = pageSize, cursor, userId } = query;
    const before = readCursor(cursor);
    const found = await threads.listStarted({ before, userId, limit: limit + 1 });
    const { items, nextCursor } = splitPage(found, limit);
    const lastReplies = await Promise.all(items.map(({ id }) => replies.findLast(id)));
    const namesOf = await people.names(
      items.flatMap(({ thread }) => [thread.ownerId, thread.renterId]),
    );
    const personOf = (id: string) => {
      const { firstName, lastName } = namesOf(id);
      return { id, first_name: firstName, last_name: lastName };
    };
    return {
      threads: items.map(({ id, thread, createdAt }, i) => ({
        id,
        bookingId: thread.toolId ? null : thread.bookingId,
        toolName: thread.toolName,
        owner: personOf(thread.ownerId),
        renter: personOf(thread.renterId),
        startedAt: createdAt.toISOString(),
        lastAt: (lastReplies[i]?.createdAt ?? createdAt).toISOString(),
        messages: 1 + (lastReplies[i]?.place ?? 0),
      })),
      nextCursor,
    };
  });
