import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import {
  type CancellationPolicy,
  limitInWords,
  policyInWords,
  policyNames,
  refundNow,
  refundSteps,
  shareOf,
  stepsInWords,
} from './cancellation.ts';
import { dayMs } from './local-time.ts';
import { type Circle, hourMs } from './rental-period.ts';

const at = (instant: string): number => Date.parse(instant);
const minuteMs = 60_000;
const startsAtMs = at('2026-11-27T09:00Z');
const drill = { circle: 'daily' as Circle, timeZone: 'UTC', startsAtMs };
/** The grace period of this booking is over. */
const booked = { ...drill, bookedAtMs: at('2026-10-01T12:00Z') };

const percentAt = (
  policy: CancellationPolicy | null,
  nowMs: number,
  rental: Parameters<typeof refundSteps>[1] = booked,
): number => refundNow(refundSteps(policy, rental), nowMs).step?.percent ?? 0;

describe('refundSteps', () => {
  it.each([
    [null, 100, '2026-11-27T09:00Z', 0],
    ['flexible', 100, '2026-11-26T00:00Z', 50],
    ['flexible', 50, '2026-11-27T09:00Z', 0],
    ['moderate', 100, '2026-11-22T00:00Z', 50],
    ['moderate', 50, '2026-11-26T00:00Z', 0],
    ['strict', 50, '2026-11-20T00:00Z', 0],
  ] as const)(
    'with policy %s refunds %d %% until %s, then %d %%',
    (policy, before, limit, after) => {
      expect(percentAt(policy, at(limit) - 1)).toBe(before);
      expect(percentAt(policy, at(limit))).toBe(after);
    },
  );

  it.each([
    ['flexible', '2026-11-26T09:00Z'],
    ['moderate', '2026-11-22T09:00Z'],
    ['strict', '2026-11-20T09:00Z'],
  ] as const)('counts 24-hour days for an hourly rental: %s until %s', (policy, limit) => {
    const hourly = { ...drill, circle: 'hourly' as const };

    expect(refundSteps(policy, hourly)[0]?.untilMs).toBe(at(limit));
  });

  /** Days on which the clocks change, forward and back; on Lord Howe by half an hour. */
  const changes = [
    ['America/Los_Angeles', '2026-03-08'],
    ['America/Los_Angeles', '2026-11-01'],
    ['Europe/Berlin', '2026-03-29'],
    ['Europe/Berlin', '2026-10-25'],
    ['Australia/Lord_Howe', '2026-04-05'],
    ['Australia/Lord_Howe', '2026-10-04'],
  ] as const;

  it.each(changes)(
    'in %s counts %s as one calendar day for a daily rental',
    (timeZone, changed) => {
      const start = Temporal.PlainDate.from(changed).add({ days: 1 });
      const instant = (date: Temporal.PlainDate, plainTime: string) =>
        date.toZonedDateTime({ timeZone, plainTime }).epochMilliseconds;
      const rental = { circle: 'daily' as const, timeZone, startsAtMs: instant(start, '07:00') };

      const steps = policyNames.map((policy) => refundSteps(policy, rental));

      const midnight = (days: number) => instant(start.subtract({ days }), '00:00');
      expect(steps.map(([first]) => first?.untilMs)).toEqual([
        midnight(1),
        midnight(5),
        midnight(7),
      ]);
      expect(midnight(0) - midnight(1)).not.toBe(dayMs);
    },
  );

  it.each(changes)(
    'in %s counts 24 elapsed hours across %s for an hourly rental',
    (timeZone, changed) => {
      const start = Temporal.PlainDate.from(changed).add({ days: 1 });
      const { epochMilliseconds } = start.toZonedDateTime({ timeZone, plainTime: '00:30' });
      const rental = { circle: 'hourly' as const, timeZone, startsAtMs: epochMilliseconds };

      expect(refundSteps('flexible', rental)[0]?.untilMs).toBe(epochMilliseconds - dayMs);
    },
  );

  it('refunds everything for an hour after booking, but not during the last day before the start', () => {
    const bookedAt = (instant: string) => ({ ...drill, bookedAtMs: at(instant) });
    const early = bookedAt('2026-11-25T10:00Z');
    const late = bookedAt('2026-11-26T08:30Z');
    const tooLate = bookedAt('2026-11-26T09:00Z');

    expect(percentAt('strict', early.bookedAtMs + hourMs - 1, early)).toBe(100);
    expect(percentAt('strict', early.bookedAtMs + hourMs, early)).toBe(0);
    expect(percentAt('flexible', late.bookedAtMs + 30 * minuteMs - 1, late)).toBe(100);
    expect(percentAt('flexible', late.bookedAtMs + 30 * minuteMs, late)).toBe(50);
    expect(percentAt('flexible', tooLate.bookedAtMs, tooLate)).toBe(50);
    // The grace period is no separate step if the policy refunds everything for longer.
    expect(refundSteps('flexible', early)).toHaveLength(2);
  });

  it('never refunds more than was paid, nor more for a later cancellation than for an earlier one', () => {
    const rental = fc.record({
      circle: fc.constantFrom<Circle>('daily', 'hourly'),
      timeZone: fc.constantFrom('America/Los_Angeles', 'Europe/Berlin', 'Australia/Lord_Howe'),
      startsAtMs: fc.integer({ min: at('2026-02-20T00:00Z'), max: at('2026-11-20T00:00Z') }),
      bookedBefore: fc.integer({ min: 0, max: 12 * dayMs }),
    });
    const policies = fc.constantFrom(null, ...policyNames);
    const later = fc.array(fc.integer({ min: 0, max: 2 * dayMs }), { minLength: 2, maxLength: 12 });
    fc.assert(
      fc.property(
        ...[rental, policies, later, fc.integer({ min: 50, max: 99_999_999 })],
        ({ bookedBefore, ...requested }, policy, pauses, totalCents) => {
          const bookedAtMs = requested.startsAtMs - bookedBefore;
          const steps = refundSteps(policy, { ...requested, bookedAtMs });
          let nowMs = bookedAtMs;
          let before = totalCents;
          for (const pause of pauses) {
            nowMs += pause;
            const { step, next } = refundNow(steps, nowMs);
            const cents = shareOf(totalCents, step?.percent ?? 0);

            expect(cents).toBeLessThanOrEqual(before);
            expect(next ? next.percent : -1).toBeLessThan(step ? step.percent : 0);
            expect(step === undefined).toBe(nowMs >= requested.startsAtMs);
            before = cents;
          }
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

describe('cancellation texts', () => {
  it('describes each cancellation policy in words', () => {
    expect([null, ...policyNames].map(policyInWords)).toEqual([
      'Full refund until the rental starts.',
      'Full refund until 1 day before the start, then 50%.',
      'Full refund until 5 days before the start, 50% until 1 day before the start, then nothing.',
      '50% refund until 7 days before the start, then nothing.',
    ]);
  });

  it('names the time zone if the reader’s clock shows another time', () => {
    const timeZone = 'America/New_York';
    const say = (instant: string, readersZone?: string) =>
      limitInWords(at(instant), { timeZone, readersZone });

    expect(say('2026-11-25T05:00Z', 'America/Chicago')).toBe('the end of Tue, Nov 24 (EST)');
    expect(say('2026-11-24T20:00Z', 'America/Chicago')).toBe('Tue, Nov 24, 3:00 PM EST');
    expect(say('2026-11-24T20:00Z', 'America/Toronto')).toBe('Tue, Nov 24, 3:00 PM');
    expect(say('2026-11-25T05:00Z')).toBe('the end of Tue, Nov 24 (EST)');
  });

  it('lists only the remaining deadlines of a rental', () => {
    const say = (policy: CancellationPolicy | null, now: string, rental = booked) =>
      stepsInWords(refundSteps(policy, rental), {
        timeZone: rental.timeZone,
        readersZone: rental.timeZone,
        nowMs: at(now),
      });
    const justBooked = { ...drill, bookedAtMs: at('2026-11-21T10:00Z') };

    expect(say('moderate', '2026-11-10T00:00Z')).toBe(
      'Full refund until the end of Sat, Nov 21, 50% until the end of Wed, Nov 25, then nothing.',
    );
    expect(say('moderate', '2026-11-23T00:00Z')).toBe(
      '50% refund until the end of Wed, Nov 25, then nothing.',
    );
    expect(say('moderate', '2026-11-26T00:00Z')).toBe('No refund.');
    expect(say('flexible', '2026-11-26T12:00Z')).toBe('50% refund until the rental starts.');
    expect(say(null, '2026-11-26T12:00Z')).toBe('Full refund until the rental starts.');
    expect(say('strict', '2026-11-21T10:30Z', justBooked)).toBe(
      'Full refund until Sat, Nov 21, 11:00 AM, then nothing.',
    );
    expect(say('flexible', '2026-11-27T09:00Z')).toBe('');
  });
});
