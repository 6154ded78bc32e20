/** The operator's commission. `percent` has at most two decimals. */
export interface CommissionTerms {
  percent: number;
  fixedCents: number;
}

/**
 * The fee on what an owner earns with one share of a payment, in whole cents: never more than `cents`; rounded, half a cent
 * down. 0 without terms.
 */
export const feeOf = (cents: number, terms: CommissionTerms | null): number => {
  if (!terms) return 0;
  // In units of 1/10,000 cent the product is an integer, and far below 2^53 for any price.
  const exact = cents * Math.round(terms.percent * 100);
  const rest = exact % 10_000;
  const rounded = (exact - rest) / 10_000 + (rest > 5_000 ? 1 : 0);
  return Math.min(cents, terms.fixedCents + rounded);
};

/** A booking's shares of several payments: only the first one bears the fixed part. */
export const termsOfShare = (
  terms: CommissionTerms | null,
  { isFirst }: { isFirst: boolean },
): CommissionTerms | null => (terms && !isFirst ? { ...terms, fixedCents: 0 } : terms);

const sum = (amounts: readonly number[]): number => amounts.reduce((one, other) => one + other, 0);

/** The fee on a booking. `shares`: the cents that remain of each of its payments, oldest first. */
export const feeOfShares = (shares: readonly number[], terms: CommissionTerms | null): number =>
  sum(shares.map((cents, i) => feeOf(cents, termsOfShare(terms, { isFirst: i === 0 }))));

/** What remains of a booking's payments, and the fee on it; the owner gets the difference. */
export interface Earnings {
  grossCents: number;
  feeCents: number;
}

/** @returns undefined if there is no fee, so that nothing needs to be explained */
export const earningsOf = (
  shares: readonly number[],
  terms: CommissionTerms | null,
): Earnings | undefined => {
  const feeCents = feeOfShares(shares, terms);
  return feeCents > 0 ? { grossCents: sum(shares), feeCents } : undefined;
};
