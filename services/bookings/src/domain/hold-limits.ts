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
  /** Of a booking, that are done or asked for: plans rarely move so often. */
  changesADay: 5,
  changesInAll: 30,
  /** Refunded by the renter's doing: Stripe keeps its fee for each, at the operator's expense. */
  refundedPaymentsADay: 10,
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
    changesADay: times(limits.changesADay),
    changesInAll: times(limits.changesInAll),
    refundedPaymentsADay: times(limits.refundedPaymentsADay),
  };
};

const dayMs = 86_400_000;

interface Times {
  startsAt: Date;
  endsAt: Date;
}

const lengthMs = ({ startsAt, endsAt }: Times): number => endsAt.getTime() - startsAt.getTime();

/** Days for which a line blocks units, times the units, rounded up to whole days. */
export const unitDaysOf = (line: Times & { quantity: number }): number =>
  line.quantity * Math.ceil(lengthMs(line) / dayMs);

/** What a change takes beside what its booking has: of units that the booking keeps, only the time that is new. */
export const addedUnitDaysOf = (
  change: Times & { quantity: number },
  { booking, kept }: { booking: Times; kept: number },
): number => {
  const common = {
    startsAt: new Date(Math.max(+change.startsAt, +booking.startsAt)),
    endsAt: new Date(Math.min(+change.endsAt, +booking.endsAt)),
  };
  const newMs = lengthMs(change) - Math.max(0, lengthMs(common));
  return (
    kept * Math.ceil(newMs / dayMs) + unitDaysOf({ ...change, quantity: change.quantity - kept })
  );
};
