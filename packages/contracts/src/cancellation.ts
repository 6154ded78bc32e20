import { dayMs, formatOfZones, laterDay, localDate, toInstantMs, toLocalMs } from './local-time.ts';
import { type Circle, hourMs } from './rental-period.ts';

/**
 * Decides how much a renter is refunded on cancellation. The server applies these rules, and all screens and emails
 * show them.
 */

interface Share {
  /** Percent of the price. */
  percent: number;
  /** The share applies until this many days before the start; 0 means until the start. */
  days: number;
}

/** A policy lists the largest share first and ends at the start of the rental, after which renters can't cancel. */
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

/** Without a policy, a rental is fully refundable until its start. */
const noPolicy: readonly Share[] = [{ percent: 100, days: 0 }];

export type CancellationPolicy = keyof typeof policies;
export const policyNames = Object.keys(policies) as CancellationPolicy[];

/** A cancellation within an hour of booking is fully refunded, if the owner still has a day to find another renter. */
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
  /** Undefined before the rental is booked. */
  bookedAtMs?: number | undefined;
}

/**
 * Returns the refund shares with their deadlines, earliest first. Daily rentals count calendar days at the tool's
 * place, so their deadlines are midnights. Hourly rentals count 24-hour days, even across clock changes.
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

/** Limits the steps of a changed booking, so that new dates never restore a share whose deadline had passed. */
export const stepsAtMost = (
  steps: readonly RefundStep[],
  mostPercent: number | null | undefined,
): RefundStep[] =>
  steps
    .map(({ percent, untilMs }) => ({ percent: Math.min(percent, mostPercent ?? 100), untilMs }))
    .filter(({ percent }, index, capped) => percent !== capped[index + 1]?.percent);

/** The current step and the next one. Both are undefined once the rental has started. */
export const refundNow = (
  steps: readonly RefundStep[],
  nowMs: number,
): { step: RefundStep | undefined; next: RefundStep | undefined } => {
  const [step, next] = steps.filter(({ untilMs }) => nowMs < untilMs);
  return { step, next };
};

/** Rounds half a cent up, in the renter's favor. */
export const shareOf = (totalCents: number, percent: number): number =>
  Math.round((totalCents * percent) / 100);

const limitFormat = { weekday: 'short', month: 'short', day: 'numeric' } as const;
const dayOf = formatOfZones(limitFormat);
const momentOf = formatOfZones({ ...limitFormat, hour: 'numeric', minute: '2-digit' });
const zoneOf = formatOfZones({ timeZoneName: 'short' });

/** `timeZone`: the zone in which deadlines are shown. `readersZone`: undefined if unknown, as in emails. */
export interface Clocks {
  timeZone: string;
  readersZone: string | undefined;
}

/**
 * Formats a deadline in the tool's time zone: `the end of Tue, Nov 24` for midnight, otherwise `Tue, Nov 24, 3:00 PM`.
 * Adds the zone if the reader's clock shows another time: `Tue, Nov 24, 3:00 PM EST`.
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

/** For example `Full refund until 5 days before the start, 50% until 1 day before the start, then nothing.` */
export const policyInWords = (policy: CancellationPolicy | null): string =>
  sentence(
    (policy ? policies[policy] : noPolicy).map(({ percent, days }) => ({
      percent,
      until: `${days} day${days === 1 ? '' : 's'} before the start`,
    })),
  );

/** Describes a rental's remaining deadlines; empty once it has started. */
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

/** Shown beside a policy without a full refund, if the grace period makes a difference. */
export const graceInWords = 'Within an hour of booking: full refund, up to a day before the start.';
