const freeFailures = 20;
const longestMs = 1_500;

/**
 * How long an answer waits while one account is attacked from everywhere: nothing for the first failures in a window,
 * then twice as long every ten, to a bound. Its owner waits that long too, and gets in: a lock would let anybody
 * shut anybody out.
 */
export const slowdownMs = (attempts: number, factor: number): number => {
  const over = attempts - freeFailures * factor;
  if (over <= 0) return 0;
  return Math.min(longestMs, Math.round(50 * 2 ** (over / (10 * factor))));
};
