import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { daysLater, toInstantMs, toLocalMs } from './local-time.ts';
import { readPeriod } from './rental-period.ts';

const zones = [
  'America/Los_Angeles',
  'America/Chicago',
  'America/Phoenix',
  'America/St_Johns',
  'America/Havana',
  'Pacific/Honolulu',
  'Pacific/Chatham',
  'Australia/Lord_Howe',
  'Europe/Berlin',
  'Asia/Kolkata',
  'UTC',
];
const minuteMs = 60_000;
const firstMs = Date.UTC(2026, 0, 1);
const minutes = 3 * 365 * 24 * 60;

const zone = fc.constantFrom(...zones);
/** Minutes spread over three years. */
const local = fc.integer({ min: 0, max: minutes }).map((minute) => firstMs + minute * minuteMs);

const plainOf = (localMs: number) =>
  Temporal.PlainDateTime.from(new Date(localMs).toISOString().slice(0, 19));
const zonedOf = (localMs: number, timeZone: string) => plainOf(localMs).toZonedDateTime(timeZone);

describe('local time conversion', () => {
  it('converts local times like Temporal', () => {
    fc.assert(
      fc.property(local, zone, fc.integer({ min: 0, max: 100 }), (localMs, timeZone, days) => {
        const zoned = zonedOf(localMs, timeZone);

        const instant = toInstantMs(localMs, timeZone);

        expect(instant).toBe(zoned.epochMilliseconds);
        expect(toLocalMs(instant, timeZone)).toBe(
          Date.parse(`${zoned.toPlainDateTime().toString()}Z`),
        );
        expect(daysLater(instant, days, timeZone)).toBe(zoned.add({ days }).epochMilliseconds);
      }),
      { numRuns: 3_000 },
    );
  });

  it('converts local times like Temporal every 15 minutes around each clock change', () => {
    for (const timeZone of zones) {
      for (
        let at = Temporal.Instant.fromEpochMilliseconds(firstMs).toZonedDateTimeISO(timeZone);
        ;
      ) {
        const next = at.getTimeZoneTransition('next');
        if (!next || next.year > 2028) break;
        const middle = toLocalMs(next.epochMilliseconds, timeZone);
        for (let quarter = -16; quarter <= 16; quarter++) {
          const localMs = middle + quarter * 15 * minuteMs;
          expect([timeZone, localMs, toInstantMs(localMs, timeZone)]).toEqual([
            timeZone,
            localMs,
            zonedOf(localMs, timeZone).epochMilliseconds,
          ]);
        }
        at = next;
      }
    }
  });
});

describe('readPeriod of a daily tool', () => {
  it('counts days of a rental like Temporal', () => {
    const length = fc.integer({ min: 1, max: 90 * 24 * 60 });
    fc.assert(
      fc.property(local, length, zone, (startLocalMs, lengthMinutes, timeZone) => {
        const endLocalMs = startLocalMs + lengthMinutes * minuteMs;
        const [start, end] = [startLocalMs, endLocalMs].map((ms) => zonedOf(ms, timeZone));
        const [from, to] = [startLocalMs, endLocalMs].map((ms) => new Date(ms).toISOString());
        const requested = {
          startDate: from?.slice(0, 10) ?? '',
          startTime: from?.slice(11, 16) ?? '',
          endDate: to?.slice(0, 10) ?? '',
          endTime: to?.slice(11, 16) ?? '',
        };
        if (!start || !end || Temporal.ZonedDateTime.compare(start, end) >= 0) return;

        expect(readPeriod(requested, { circle: 'daily', timeZone })).toEqual({
          startsAtMs: start.epochMilliseconds,
          endsAtMs: end.epochMilliseconds,
          period: Math.max(1, start.until(end, { largestUnit: 'days' }).days),
        });
      }),
      { numRuns: 3_000 },
    );
  });
});
