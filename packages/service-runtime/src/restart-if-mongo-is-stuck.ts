import { type Logger, repeat } from '@lendtools/service-kit';

interface StuckCheck {
  /** Runs a command on the connection that the service uses. */
  ping: () => Promise<unknown>;
  /** Opens another connection to the same server and closes it. */
  connectAnew: () => Promise<unknown>;
  restart: () => void;
  logger: Logger;
  everyMs?: number;
  stuckAfterMs?: number;
}

/**
 * Restarts the process when its MongoDB client finds no server for a minute while a new client does. Seen once, after
 * MongoDB was killed on a busy machine: one replica's driver reported the same `read ECONNRESET` for 20 minutes.
 * An outage restarts nothing, because no client connects then; nor does a pool that is merely full.
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
