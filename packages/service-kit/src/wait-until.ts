import { setTimeout as delay } from 'node:timers/promises';

/** Polls briefly for a change that an event will bring. Returns the last result, even if it does not match. */
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
