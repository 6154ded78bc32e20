import { type Logger, repeat } from '@lendtools/service-kit';

interface StuckCheck {
  /** Sends a command on the connection that the service uses. */
  ping: () => Promise<unknown>;
  /** Connects to the same server with a new client. */
  connectAnew: () => Promise<unknown>;
  restart: () => void;
  logger: Logger;
  everyMs?: number;
  stuckAfterMs?: number;
}

/**
 * Restarts the process when its MongoDB client finds no server for a minute although a new client does. This happened
 * once: a driver reported `read ECONNRESET` for 20 minutes after MongoDB was killed.
 */
export const restartIfMongoIsStuck = (check: StuckCheck): { stop(): Promise<void> } => {
  const { ping, connectAnew, restart, logger, everyMs = 10_000, stuckAfterMs = 60_000 } = check;
  let lostAtMs: number | undefined;
  const look = async (): Promise<void> => {
    const failure = await ping().then(
      () => undefined,
      (error: unknown) => error,
    );
    const isLost = failure instanceof Error && failure.name === 'MongoServerSelectionError';
    lostAtMs = isLost ? (lostAtMs ?? Date.now()) : undefined;
    if (lostAtMs === undefined || Date.now() - lostAtMs < stuckAfterMs) return;
    const isReachable = await connectAnew().then(
      () => true,
      () => false,
    );
    if (!isReachable) return;
    logger.fatal({ err: failure }, 'the MongoDB client is stuck, restarting');
    restart();
  };
  return repeat(everyMs, look, () => {});
};
