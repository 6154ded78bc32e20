/** The value in the middle; of an even count the lower one. */
export const median = (values: number[]): number => percentile(values, 50);

export const percentile = (values: number[], percent: number): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? Number.NaN;
};

/** Three turns of every contender, one after the other, so that what slows the machine slows all of them. */
export const interleave = async <K extends string>(
  contenders: Record<K, () => Promise<number>>,
  rounds = 3,
): Promise<Record<K, number>> => {
  const results = {} as Record<K, number[]>;
  for (let round = 0; round < rounds; round++) {
    for (const name of Object.keys(contenders) as K[]) {
      results[name] = [...(results[name] ?? []), await contenders[name]()];
    }
  }
  return Object.fromEntries(
    Object.entries<number[]>(results).map(([name, values]) => [name, median(values)]),
  ) as Record<K, number>;
};

/** A line of the report: what was measured, the bound that it should keep, and whether it does. */
export interface Row {
  name: string;
  measured: string;
  bound: string;
  kept: boolean;
}
