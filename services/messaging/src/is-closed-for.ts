import type { Deps } from './deps.ts';
import { isClosed, isParty, otherOf, type Thread } from './domain/thread.ts';

/** Whether a user can no longer write in a thread. Admins, who are no party of it, always can. */
export const isClosedFor = async (
  { threads, blocks }: Pick<Deps, 'threads' | 'blocks'>,
  thread: Thread,
  userId: string,
): Promise<boolean> => {
  if (!isParty(thread, userId)) return false;
  const other = otherOf(thread, userId);
  // A message has a copy of its thread, which does not change when the booking is over.
  const [current = thread, blocked] = await Promise.all([
    threads.findThread(thread.bookingId),
    blocks.findBetween(userId, [other]),
  ]);
  return isClosed(current, { now: new Date(), isBlocked: blocked.has(other) });
};
