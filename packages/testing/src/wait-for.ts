import { setTimeout as delay } from 'node:timers/promises';
import { hangsAfterMs } from './hangs-after.ts';

/** @throws Error with the name of what was awaited and the last failure, after the deadline */
export const waitFor = async <T>(
  what: string,
  ask: () => T | Promise<T>,
  deadlineMs = hangsAfterMs,
): Promise<Exclude<T, false | 0 | '' | null | undefined>> => {
  const end = Date.now() + deadlineMs;
  let failure: unknown;
  for (;;) {
    try {
      const answer = await ask();
      if (answer) return answer as Exclude<T, false | 0 | '' | null | undefined>;
      failure = undefined;
    } catch (error) {
      failure = error;
    }
    if (Date.now() > end)
      throw new Error(`Waited ${deadlineMs} ms for ${what}`, { cause: failure });
    await delay(20);
  }
};
