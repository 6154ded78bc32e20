import { waitUntil } from '@lendtools/service-kit';
import type { Deps } from './deps.ts';
import { mayStillArrive, type Thread } from './domain/thread.ts';
import { threadNotFound } from './errors.ts';

/**
 * The thread of a booking. A renter may write the moment the booking is answered, before its event is here: then
 * the thread is waited for, up to two seconds.
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
