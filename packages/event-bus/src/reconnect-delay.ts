const delaysMs = [100, 250, 500, 1_000, 2_000, 5_000];

/** The delay is partly random, so that not all replicas reconnect and declare their queues at once after a broker's restart. */
export const reconnectDelayMs = (attempt: number, random = Math.random): number => {
  const longest = delaysMs[Math.min(attempt, delaysMs.length - 1)] as number;
  return longest * (0.5 + random() / 2);
};
