import { waitUntil } from '@lendtools/service-kit';
import type { Deps } from './deps.ts';
import { threadNotFound } from './domain/errors.ts';
import { mayStillArrive, type Thread } from './domain/thread.ts';

/**
 * Finds a thread. Polls for up to two seconds, because a renter may write before the event of the booking or request has arrived. @throws
 * AppError THREAD_NOT_FOUND
 */
export const findThread = async (
  { threads }: Pick<Deps, 'threads'>,
  bookingId: string,
): Promise<Thread> => {
  const thread = await waitUntil(
    () => threads.findThread(bookingId),
    (found) => found !== undefined || !mayStillArrive(bookingId, new Date()),
  );
  if (!thread) throw threadNotFound();
  return thread;
};
