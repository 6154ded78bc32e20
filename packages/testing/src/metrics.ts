/** Returns a metric's value, or NaN if it is missing. Tests share a process and its counters, so compare with an earlier value. */
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
