import { dayMs, formatOfZones, laterDay, localDate, toInstantMs, toLocalMs } from './local-time.ts';
import { type Circle, hourMs } from './rental-period.ts';

/** What a renter who cancels gets back: one table for the server, which decides, and for all who show it. */

interface Share {
  /** Of the price. */
  percent: number;
  /** Until so many days before the start; 0 is until the start itself. */
  days: number;
}

/** Each begins with the largest share and ends at the start, after which no renter can cancel. */
export const policies = {
  flexible: [
    { percent: 100, days: 1 },
    { percent: 50, days: 0 },
  ],
  moderate: [
    { percent: 100, days: 5 },
    { percent: 50, days: 1 },
    { percent: 0, days: 0 },
  ],
  strict: [
    { percent: 50, days: 7 },
    { percent: 0, days: 0 },
  ],
} as const satisfies Record<string, readonly [Share, ...Share[]]>;

/** Of a tool whose owner chose none; bookings of it are fully refundable until they start. */
const noPolicy: readonly Share[] = [{ percent: 100, days: 0 }];

export type CancellationPolicy = keyof typeof policies;
export const policyNames = Object.keys(policies) as CancellationPolicy[];

/** Who has just booked may have mistaken the day: for an hour, if its owner has at least a day left to find another. */
const graceMs = hourMs;
const graceEndsBeforeStartMs = dayMs;

export interface RefundStep {
  percent: number;
  untilMs: number;
}

interface Rental {
  circle: Circle;
  timeZone: string;
  startsAtMs: number;
  /** Undefined while nobody has booked it. */
  bookedAtMs?: number | undefined;
}

/**
 * Which share comes back until when, the earliest limit first. Days before a daily rental are those of the calendar at the
 * tool's place, each as a whole: the limit is a midnight. Days before an hourly one are 24 hours, whatever the clocks do.
 */
export const refundSteps = (policy: CancellationPolicy | null, rental: Rental): RefundStep[] => {
  const { circle, timeZone, startsAtMs, bookedAtMs = Number.NEGATIVE_INFINITY } = rental;
  const limit = (days: number): number => {
    if (days === 0) return startsAtMs;
    if (circle === 'hourly') return startsAtMs - days * dayMs;
    return toInstantMs(Date.parse(laterDay(localDate(timeZone, startsAtMs), -days)), timeZone);
  };
  const shares: readonly Share[] = policy ? policies[policy] : noPolicy;
  const graceUntilMs = Math.min(bookedAtMs + graceMs, startsAtMs - graceEndsBeforeStartMs);
  const steps = shares
    .map(({ percent, days }) => ({ percent, untilMs: limit(days) }))
    .filter(({ untilMs }) => untilMs > graceUntilMs);
  return graceUntilMs > bookedAtMs && steps[0]?.percent !== 100
    ? [{ percent: 100, untilMs: graceUntilMs }, ...steps]
    : steps;
};

/** The steps of a booking that was changed: other dates bring no share back that was gone. */
export const stepsAtMost = (
  steps: readonly RefundStep[],
  mostPercent: number | null | undefined,
): RefundStep[] =>
  steps
    .map(({ percent, untilMs }) => ({ percent: Math.min(percent, mostPercent ?? 100), untilMs }))
    .filter(({ percent }, index, capped) => percent !== capped[index + 1]?.percent);

/** The step that counts now, and what follows it; undefined once the rental has started. */
export const refundNow = (
  steps: readonly RefundStep[],
  nowMs: number,
): { step: RefundStep | undefined; next: RefundStep | undefined } => {
  const [step, next] = steps.filter(({ untilMs }) => nowMs < untilMs);
  return { step, next };
};

/** Half a cent is the renter's. */
export const shareOf = (totalCents: number, percent: number): number =>
  Math.round((totalCents * percent) / 100);

const limitFormat = { weekday: 'short', month: 'short', day: 'numeric' } as const;
const dayOf = formatOfZones(limitFormat);
const momentOf = formatOfZones({ ...limitFormat, hour: 'numeric', minute: '2-digit' });
const zoneOf = formatOfZones({ timeZoneName: 'short' });

/** The clock that limits are said by, and that of whoever reads them; who reads an email, where, nobody knows. */
export interface Clocks {
  timeZone: string;
  readersZone: string | undefined;
}

/**
 * `the end of Tue, Nov 24` for a midnight, else `Tue, Nov 24, 3:00 PM`, by the clock of the tool's place. Unless the reader's
 * own clock is known to show the same time it names the zone: `the end of Tue, Nov 24 (EST)`, `Tue, Nov 24, 3:00 PM EST`.
 */
export const limitInWords = (untilMs: number, { timeZone, readersZone }: Clocks): string => {
  const isMidnight = toLocalMs(untilMs, timeZone) % dayMs === 0;
  const shown = isMidnight ? untilMs - 1 : untilMs;
  const format = (isMidnight ? dayOf : momentOf)(timeZone);
  const words = `${isMidnight ? 'the end of ' : ''}${format.format(shown)}`;
  if (readersZone && toLocalMs(untilMs, timeZone) === toLocalMs(untilMs, readersZone)) return words;
  const zone = zoneName(shown, timeZone);
  return `${words} ${isMidnight ? `(${zone})` : zone}`;
};

const zoneName = (instantMs: number, timeZone: string): string | undefined =>
  zoneOf(timeZone)
    .formatToParts(instantMs)
    .find(({ type }) => type === 'timeZoneName')?.value;

const sentence = (shares: readonly { percent: number; until: string }[]): string => {
  const words = shares.map(({ percent, until }, index) => {
    const isLast = index === shares.length - 1;
    if (index === 0) {
      if (percent === 0) return 'No refund';
      return `${percent === 100 ? 'Full' : `${percent}%`} refund until ${isLast ? 'the rental starts' : until}`;
    }
    const share = percent === 0 ? 'nothing' : `${percent}%`;
    return isLast ? `then ${share}` : `${share} until ${until}`;
  });
  return `${words.join(', ')}.`;
};

/** `Full refund until 5 days before the start, 50% until 1 day before the start, then nothing.` */
export const policyInWords = (policy: CancellationPolicy | null): string =>
  sentence(
    (policy ? policies[policy] : noPolicy).map(({ percent, days }) => ({
      percent,
      until: `${days} day${days === 1 ? '' : 's'} before the start`,
    })),
  );

/** The same of one rental, with the limits that are still to come; empty once it has started. */
export const stepsInWords = (
  steps: readonly RefundStep[],
  { nowMs, ...clocks }: Clocks & { nowMs: number },
): string => {
  const left = steps.filter(({ untilMs }) => nowMs < untilMs);
  if (left.length === 0) return '';
  return sentence(
    left.map(({ percent, untilMs }) => ({ percent, until: limitInWords(untilMs, clocks) })),
  );
};

/** What counts beside a policy that does not refund everything; no sentence where it makes no difference. */
export const graceInWords = 'Within an hour of booking: full refund, up to a day before the start.';
