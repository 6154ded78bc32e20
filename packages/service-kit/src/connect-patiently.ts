import { setTimeout as delay } from 'node:timers/promises';
import { isDatabaseOutage } from './database-errors.ts';
import type { Logger } from './logging.ts';

/** A server that starts beside its services, or a machine with much to do, may take a minute. */
const patienceMs = 60_000;
const pauseMs = 500;

/**
 * Tries again while the database's server can't be reached, and says so. A process that gave up at once would only be
 * started again, and a rolling update would end with it.
 * @throws what the last try threw
 */
export const connectPatiently = async <T>(
  connect: () => Promise<T>,
  logger: Logger,
  withinMs = patienceMs,
): Promise<T> => {
  for (const end = Date.now() + withinMs; ; await delay(pauseMs)) {
    try {
      return await connect();
    } catch (error) {
      if (!isDatabaseOutage(error) || Date.now() >= end) throw error;
      logger.warn({ err: error }, 'waiting for the database');
    }
  }
};
