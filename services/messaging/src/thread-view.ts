import type { Thread as ThreadReply } from '@lendtools/contracts';
import type { ThreadSummary } from './store/thread-repository.ts';

export const otherOf = ({ ownerId, renterId }: ThreadSummary, userId: string): string =>
  userId === ownerId ? renterId : ownerId;

export const toThreadReply = (
  thread: ThreadSummary,
  userId: string,
  namesOf: (userId: string) => { firstName: string; lastName: string },
): ThreadReply => {
  const { bookingId: id, toolId, toolName, continuedBy, last } = thread;
  const other = otherOf(thread, userId);
  const { firstName, lastName } = namesOf(other);
  return {
    id,
    toolName,
    toolId: toolId ?? null,
    as: userId === thread.ownerId ? 'owner' : 'renter',
    other: { id: other, first_name: firstName, last_name: lastName },
    bookingId: toolId ? (continuedBy ?? null) : id,
    isMasked: thread.isUnpaid === true,
    last: last ? { text: last.text, fromUserId: last.fromUserId, at: last.at.toISOString() } : null,
  };
};
