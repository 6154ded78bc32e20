import { scaled } from '@lendtools/service-kit';

/**
 * What one person may hold without paying. A large order has room: fifty chairs, ten tables and two tents for a long
 * weekend are 248 unit-days, twenty tools for a month 600. Whoever needs more pays for one cart and goes on.
 */
const limits = {
  liveHolds: 3,
  holdsAnHour: 60,
  unitDaysAtOnce: 1_000,
  unitDaysADay: 3_000,
  holdsOfAToolADay: 10,
};
export type HoldLimits = typeof limits;

export const holdLimits = (factor: number): HoldLimits => {
  const times = (limit: number): number => scaled(limit, factor);
  return {
    // Its refusal says three.
    liveHolds: limits.liveHolds,
    holdsAnHour: times(limits.holdsAnHour),
    unitDaysAtOnce: times(limits.unitDaysAtOnce),
    unitDaysADay: times(limits.unitDaysADay),
    holdsOfAToolADay: times(limits.holdsOfAToolADay),
  };
};

const dayMs = 86_400_000;

/** Days for which a line blocks units, times the units, rounded up to whole days. */
export const unitDaysOf = (line: { quantity: number; startsAt: Date; endsAt: Date }): number =>
  line.quantity * Math.ceil((line.endsAt.getTime() - line.startsAt.getTime()) / dayMs);
