import { setTimeout as delay } from 'node:timers/promises';

/**
 * Asks again for a moment, because what somebody did a moment ago may still be on its way here as an event. Holds nothing
 * while it waits. Answers with what it found last, whether or not that is it.
 */
export const waitUntil = async <T>(
  ask: () => Promise<T>,
  isIt: (found: T) => boolean,
  { forMs = 2_000, everyMs = 50 } = {},
): Promise<T> => {
  for (const end = Date.now() + forMs; ; await delay(everyMs)) {
    const found = await ask();
    if (isIt(found) || Date.now() >= end) return found;
  }
};
