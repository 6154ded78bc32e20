import { waitUntil } from '@lendtools/service-kit';
import type { Deps } from './deps.ts';
import { mayStillArrive, type Thread } from './domain/thread.ts';
import { threadNotFound } from './errors.ts';

/**
 * Finds the thread of a booking. A renter may write before `BookingCreated` has arrived, so this polls for up to two
 * seconds.
 * @throws AppError THREAD_NOT_FOUND
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
