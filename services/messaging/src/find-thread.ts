import { setTimeout as delay } from 'node:timers/promises';
import type { Deps } from './deps.ts';
import { mayStillArrive, type Thread } from './domain/thread.ts';
import { threadNotFound } from './errors.ts';

const waitMs = 2_000;
const pollMs = 50;

/**
 * The thread of a booking. A renter may write the moment the booking is answered, before its event is here: then
 * the thread is waited for, up to two seconds.
 * @throws AppError THREAD_NOT_FOUND
 */
export const findThread = async (
  { threads }: Pick<Deps, 'threads'>,
  bookingId: string,
): Promise<Thread> => {
  const end = Date.now() + waitMs;
  for (;;) {
    const thread = await threads.findThread(bookingId);
    if (thread) return thread;
    if (Date.now() > end || !mayStillArrive(bookingId, new Date())) throw threadNotFound();
    await delay(pollMs);
  }
};
