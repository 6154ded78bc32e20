const delaysMs = [100, 250, 500, 1_000, 2_000, 5_000];

/**
 * Returns the delay before a reconnect: a growing delay with jitter between half and all of it. Without jitter, all
 * replicas would reconnect and declare their queues at once after a restart of the broker.
 */
export const reconnectDelayMs = (attempt: number, random = Math.random): number => {
  const longest = delaysMs[Math.min(attempt, delaysMs.length - 1)] as number;
  return longest * (0.5 + random() / 2);
};
