/** An hour later, as for the days of the ledger: an entry has the time at which its transaction began. */
const closedAfterMs = 3_600_000;

/** A month in UTC. @param month such as `2026-11` */
export const spanOfMonth = (month: string): { from: Date; to: Date; closedAt: Date } => {
  const [year, number] = month.split('-').map(Number) as [number, number];
  const to = Date.UTC(year, number);
  return {
    from: new Date(Date.UTC(year, number - 1)),
    to: new Date(to),
    closedAt: new Date(to + closedAfterMs),
  };
};
