/**
 * Divides cents in proportion to weights, by the largest remainder; of equal remainders the earlier weight comes first. No
 * part exceeds its weight unless the cents exceed the sum of the weights.
 * @returns one part for each weight, which sum up to the cents; all 0 if all weights are
 */
export const divide = (cents: number, weights: readonly number[]): number[] => {
  const total = BigInt(weights.reduce((sum, weight) => sum + weight, 0));
  if (total === 0n) return weights.map(() => 0);
  const shares = weights.map((weight, index) => {
    // As bigints, because the product of two amounts may exceed the integers of a number.
    const product = BigInt(cents) * BigInt(weight);
    return { index, part: Number(product / total), remainder: product % total };
  });
  let left = cents - shares.reduce((sum, { part }) => sum + part, 0);
  for (const share of shares.toSorted((one, other) => compare(other.remainder, one.remainder))) {
    if (left === 0) break;
    share.part += 1;
    left -= 1;
  }
  return shares.map(({ part }) => part);
};

const compare = (one: bigint, other: bigint): number => {
  if (one === other) return 0;
  return one < other ? -1 : 1;
};
