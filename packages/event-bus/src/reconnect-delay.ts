const delaysMs = [100, 250, 500, 1_000, 2_000, 5_000];

/**
 * How long to wait before a reconnect: between half of a growing delay and all of it. A restart of the broker ends the
 * connections of all replicas at once; without jitter they would all come back, and declare their queues, at once too.
 */
export const reconnectDelayMs = (attempt: number, random = Math.random): number => {
  const longest = delaysMs[Math.min(attempt, delaysMs.length - 1)] as number;
  return longest * (0.5 + random() / 2);
};
