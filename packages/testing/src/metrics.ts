/**
 * The value of the first line of `/metrics` that has this name and these labels, NaN when there is none. Counters are those of the
 * process, which tests share: compare one with what it was.
 */
export const metricIn = (
  metrics: string,
  name: string,
  labels: Record<string, string> = {},
): number => {
  const has = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
  const line = metrics
    .split('\n')
    .find(
      (each) =>
        (each.startsWith(`${name}{`) || each.startsWith(`${name} `)) &&
        has.every((label) => each.includes(label)),
    );
  return Number(line?.slice(line.lastIndexOf(' ') + 1));
};
