const freeFailures = 20;
const longestMs = 1_500;

/**
 * How long to delay a login reply while an account is attacked from many networks. The delay doubles every ten failures, up
 * to a maximum. Locking the account instead would let any attacker lock its owner out.
 */
export const slowdownMs = (attempts: number, factor: number): number => {
  const over = attempts - freeFailures * factor;
  if (over <= 0) return 0;
  return Math.min(longestMs, Math.round(50 * 2 ** (over / (10 * factor))));
};
