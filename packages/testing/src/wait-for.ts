import { setTimeout as delay } from 'node:timers/promises';
import { hangsAfterMs } from './hangs-after.ts';

/**
 * Polls more seldom the longer it waits, because polls of tests that wait for a busy machine keep it busy.
 * @throws Error with the name of what was awaited and the last failure, after the deadline
 */
export const waitFor = async <T>(
  what: string,
  ask: () => T | Promise<T>,
  deadlineMs = hangsAfterMs,
): Promise<Exclude<T, false | 0 | '' | null | undefined>> => {
  const begin = Date.now();
  let failure: unknown;
  for (;;) {
    try {
      const answer = await ask();
      if (answer) return answer as Exclude<T, false | 0 | '' | null | undefined>;
      failure = undefined;
    } catch (error) {
      failure = error;
    }
    const waitedMs = Date.now() - begin;
    if (waitedMs > deadlineMs)
      throw new Error(`Waited ${deadlineMs} ms for ${what}${reasonOf(failure)}`, {
        cause: failure,
      });
    await delay(Math.min(20 + waitedMs / 10, 500));
  }
};

const reasonOf = (failure: unknown): string =>
  failure instanceof Error ? `: ${failure.message}` : '';
