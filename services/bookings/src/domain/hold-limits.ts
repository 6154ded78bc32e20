import { scaled } from '@lendtools/service-kit';

/** Limits of unpaid holds. Large carts fit: twenty tools for a month are 600 unit-days (units times days). */
const limits = {
  liveHolds: 3,
  holdsAnHour: 60,
  unitDaysAtOnce: 1_000,
  unitDaysADay: 3_000,
  holdsOfAToolADay: 10,
  /** How many changes of one booking may be made or requested. */
  changesADay: 5,
  changesInAll: 30,
  /** How many refunded payments a renter may cause. The operator pays Stripe's fee for each. */
  refundedPaymentsADay: 10,
};
export type HoldLimits = typeof limits;

export const holdLimits = (factor: number): HoldLimits => {
  const times = (limit: number): number => scaled(limit, factor);
  return {
    // Use this limit unmultiplied, because the error text of `tooManyHolds` names the number.
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

/** The unit-days of a line: its days, rounded up, times its units. */
export const unitDaysOf = (line: Times & { quantity: number }): number =>
  line.quantity * Math.ceil(lengthMs(line) / dayMs);

/** The unit-days that a change adds to its booking. Units that the booking keeps count only for the added time. */
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
