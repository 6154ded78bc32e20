import type { Thread as ThreadReply } from '@lendtools/contracts';
import type { Deps } from './deps.ts';
import { isClosed, otherOf } from './domain/thread.ts';
import { shownNames } from './message-view.ts';
import type { ThreadSummary } from './store/thread-repository.ts';

/** A user's threads, as the user lists them. */
export const viewThreads = async (
  { people, blocks }: Pick<Deps, 'people' | 'blocks'>,
  threads: ThreadSummary[],
  userId: string,
): Promise<ThreadReply[]> => {
  const others = threads.map((thread) => otherOf(thread, userId));
  const [namesOf, blocked] = await Promise.all([
    people.names(others),
    blocks.findBetween(userId, others),
  ]);
  const now = new Date();
  return threads.map((thread) => {
    const { bookingId: id, toolId, toolName, continuedBy, last } = thread;
    const other = otherOf(thread, userId);
    const { firstName, lastName } = shownNames(thread, other, namesOf);
    return {
      id,
      toolName,
      toolId: toolId ?? null,
      as: userId === thread.ownerId ? 'owner' : 'renter',
      other: { id: other, first_name: firstName, last_name: lastName },
      bookingId: toolId ? (continuedBy ?? null) : id,
      isMasked: thread.isMasked === true,
      isClosed: isClosed(thread, { now, isBlocked: blocked.has(other) }),
      last: last
        ? { text: last.text, fromUserId: last.fromUserId, at: last.at.toISOString() }
        : null,
    };
  });
};
