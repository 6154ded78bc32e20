import { setTimeout as delay } from 'node:timers/promises';

/**
 * Polls for a moment, because what somebody just did may still be in transit as an event. Holds nothing while it
 * waits. Returns what it found last, whether or not that is it.
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
