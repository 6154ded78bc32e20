import { setTimeout as delay } from 'node:timers/promises';
import { isDatabaseOutage } from './database-errors.ts';
import type { Logger } from './logging.ts';

/** A database server that starts at the same time may need up to a minute on a busy machine. */
const patienceMs = 60_000;
const pauseMs = 500;

/** Retries for a minute. Exiting at once would only cause restarts and could abort a rolling update. */
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
