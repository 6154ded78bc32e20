export const median = (values: number[]): number => percentile(values, 50);

export const percentile = (values: number[], percent: number): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? Number.NaN;
};

/** Measures all contenders in turn, so that other load slows them equally. */
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

export interface Row {
  name: string;
  measured: string;
  bound: string;
  kept: boolean;
}
