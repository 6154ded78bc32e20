import { describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import type { Terms } from './api/terms.ts';
import { calendarOf, isFreeOn, type Rules, type Taken } from './availability.ts';
import { dayMs, localDate, toInstantMs, toLocalMs } from './local-time.ts';
import { type Circle, hourMs, type RequestedPeriod, readPeriod } from './rental-period.ts';

const zones = ['America/Los_Angeles', 'Europe/Berlin', 'Australia/Lord_Howe'];
/** Each day is shortly before a clock change in one of the time zones. */
const firstDays = [
  '2026-03-06',
  '2026-03-27',
  '2026-04-03',
  '2026-10-02',
  '2026-10-23',
  '2026-10-30',
];
const dayCount = 14;

const dayAfter = (date: string, days: number): string =>
  new Date(Date.parse(date) + days * dayMs).toISOString().slice(0, 10);
const clockOf = (halfHours: number): string =>
  `${String(Math.floor(halfHours / 2)).padStart(2, '0')}:${halfHours % 2 ? '30' : '00'}`;

const wantedOf = (
  requested: RequestedPeriod,
  { circle, timeZone, quantity }: { circle: Circle; timeZone: string; quantity: number },
) => {
  const found = readPeriod(requested, { circle, timeZone });
  if ('problem' in found) throw new Error(found.problem);
  return { ...requested, ...found, quantity };
};

const hours = fc.option(
  fc
    .record({ from: fc.integer({ min: 0, max: 20 }), more: fc.integer({ min: 1, max: 20 }) })
    .map(({ from, more }) => ({ from: clockOf(from), to: clockOf(from + more) })),
);
const days = fc.integer({ min: 0, max: dayCount });

const situation = fc
  .record({
    circle: fc.constantFrom<Circle>('daily', 'hourly'),
    timeZone: fc.constantFrom(...zones),
    first: fc.constantFrom(...firstDays),
    units: fc.integer({ min: 1, max: 3 }),
    /** Both numbers count half hours; `from: 0` is the start of the first day. */
    taken: fc.array(
      fc.record({
        unit: fc.integer({ min: 1, max: 4 }),
        from: fc.integer({ min: -96, max: 48 * dayCount }),
        length: fc.integer({ min: 1, max: 200 }),
        why: fc.constantFrom<Taken['why']>('booked', 'held'),
      }),
      { maxLength: 6 },
    ),
    nowAfter: fc.integer({ min: -48, max: 96 }),
    terms: fc.option(
      fc.record(
        {
          blocked: fc.array(
            fc.tuple(days, fc.integer({ min: 0, max: 3 })).map(([from, more]) => ({ from, more })),
            { maxLength: 2 },
          ),
          hours: fc.record(
            { sunday: hours, monday: hours, thursday: hours, saturday: hours },
            { requiredKeys: [] },
          ),
          noticeHours: fc.integer({ min: 0, max: 72 }),
          buffer: fc.integer({ min: 0, max: 3 }),
        },
        { requiredKeys: [] },
      ),
    ),
  })
  .map(({ first, taken, nowAfter, terms, ...facts }) => {
    const startMs = toInstantMs(Date.parse(first), facts.timeZone);
    const { blocked, ...others } = terms ?? {};
    const rules: Rules = {
      ...facts,
      terms: terms && {
        ...others,
        ...(blocked && {
          blocked: blocked.map(({ from, more }) => ({
            from: dayAfter(first, from),
            to: dayAfter(first, from + more),
          })),
        }),
      },
    };
    const spans = taken.map(({ unit, from, length, why }) => {
      const fromMs = startMs + (from * hourMs) / 2;
      return { unit, why, fromMs, toMs: fromMs + (length * hourMs) / 2 };
    });
    const nowMs = startMs + (nowAfter * hourMs) / 2;
    return {
      first,
      rules,
      calendar: calendarOf(rules, { taken: spans, nowMs }),
      taken: spans,
      nowMs,
    };
  });

const runs = { numRuns: 400 };

describe('a calendar agrees with the check of a requested rental', () => {
  it('for each day of a daily tool', () => {
    fc.assert(
      fc.property(situation, fc.integer({ min: 1, max: 3 }), (given, quantity) => {
        const { first, calendar } = given;
        const rules = { ...given.rules, circle: 'daily' as const };
        fc.pre(given.rules.circle === 'daily');

        for (const day of calendar.days(first, dayAfter(first, dayCount))) {
          const requested = { startDate: day.date, startTime: '', endDate: day.date, endTime: '' };
          const problem = calendar.problemOf(wantedOf(requested, { ...rules, quantity }));

          expect({ day, isGiven: problem === undefined }).toEqual({
            day,
            isGiven: day.why === null && day.free >= quantity,
          });
          if (problem && quantity === 1) expect(problem.why).toBe(day.why);
        }
      }),
      runs,
    );
  });

  it('for any range of days of a daily tool with one unit', () => {
    fc.assert(
      fc.property(
        situation,
        days,
        fc.integer({ min: 1, max: 5 }),
        ({ first, rules, calendar, nowMs }, from, length) => {
          fc.pre(rules.circle === 'daily' && rules.units === 1);
          const [startDate, endDate] = [dayAfter(first, from), dayAfter(first, from + length)];
          fc.pre(startDate >= localDate(rules.timeZone, nowMs));
          const stretch = calendar.days(startDate, endDate);
          const [start, returning] = [stretch[0], stretch.at(-1)];

          const requested = { startDate, startTime: '', endDate, endTime: '' };
          const problem = calendar.problemOf(wantedOf(requested, { ...rules, quantity: 1 }));

          const isShut = (day: typeof start) => day?.why === 'closed' || day?.why === 'too-soon';
          const isClosed = calendar.isOpen(endDate, '') === false;
          const isFree = stretch.slice(0, -1).every(({ free }) => free > 0);
          expect({ problem, isGiven: problem === undefined }).toEqual({
            problem,
            isGiven: isFree && !isShut(start) && !isClosed,
          });
          expect(returning?.date).toBe(endDate);
        },
      ),
      runs,
    );
  });

  it('for the free intervals of an hourly tool', () => {
    const within = fc.tuple(days, fc.integer({ min: 0, max: 47 }), fc.integer({ min: 1, max: 20 }));
    fc.assert(
      fc.property(
        situation,
        within,
        ({ first, rules, calendar, nowMs }, [dayNumber, from, length]) => {
          fc.pre(rules.circle === 'hourly' && from + length < 48);
          const date = dayAfter(first, dayNumber);
          const times = { startTime: clockOf(from), endTime: clockOf(from + length) };
          const found = readPeriod({ startDate: date, endDate: date, ...times }, rules);
          // Skips times that do not exist on the day of a clock change.
          fc.pre(!('problem' in found));
          const wanted = wantedOf(
            { startDate: date, endDate: date, ...times },
            { ...rules, quantity: 1 },
          );
          fc.pre(
            toLocalMs(wanted.startsAtMs, rules.timeZone) === Date.parse(date) + (from * hourMs) / 2,
          );
          fc.pre(wanted.startsAtMs >= nowMs);
          const intervals = calendar.days(date, date)[0]?.intervals ?? [];
          const around = intervals.find(
            ({ fromMs, toMs }) => fromMs <= wanted.startsAtMs && wanted.endsAtMs <= toMs,
          );

          if (around)
            expect(calendar.problemOf({ ...wanted, quantity: around.free })).toBeUndefined();
          if (rules.units === 1)
            expect(calendar.problemOf(wanted) === undefined).toBe(around !== undefined);
        },
      ),
      runs,
    );
  });
});

const tool = (terms: Terms | null, facts: Partial<Rules> = {}): Rules => ({
  circle: 'daily',
  timeZone: 'America/New_York',
  units: 1,
  terms,
  ...facts,
});
const longBefore = Date.parse('2026-01-01T12:00:00Z');

describe('a calendar with terms', () => {
  const findProblem = (
    rules: Rules,
    requested: RequestedPeriod,
    taken: Taken[] = [],
    nowMs = longBefore,
  ) =>
    calendarOf(rules, { taken, nowMs }).problemOf(wantedOf(requested, { ...rules, quantity: 1 }));
  const dates = (startDate: string, endDate: string, startTime = '', endTime = '') => ({
    startDate,
    startTime,
    endDate,
    endTime,
  });

  const hourly = (terms: Terms) => tool(terms, { circle: 'hourly' });
  const taken: Taken = {
    unit: 1,
    why: 'booked',
    fromMs: Date.parse('2026-05-04T16:00:00Z'),
    toMs: Date.parse('2026-05-04T18:00:00Z'),
  };
  const takenWords = 'Somebody else has it during this time. Please choose another.';
  const soonWords = 'The owner needs 4 hours of notice. Please choose a later start.';

  it.each<[string, Terms, RequestedPeriod, string, string]>([
    ['taken', {}, dates('2026-05-04', '2026-05-04', '11:00', '13:00'), 'start_time', takenWords],
    [
      ...(['too soon today', { noticeHours: 4 }] as const),
      dates('2026-05-04', '2026-05-04', '08:00', '09:00'),
      ...(['start_time', soonWords] as const),
    ],
    [
      ...(['too soon on the day before', { noticeHours: 4 }] as const),
      dates('2026-05-03', '2026-05-04', '08:00', '09:00'),
      ...(['start_date', soonWords] as const),
    ],
    [
      ...(['too short', { shortest: 2 }] as const),
      dates('2026-05-04', '2026-05-04', '14:30', '15:30'),
      ...(['end_time', 'It is rented for at least 2 hours.'] as const),
    ],
    [
      ...(['taken over days', {}] as const),
      dates('2026-05-04', '2026-05-06', '10:00', '10:00'),
      'start_date',
      'Somebody else has it on some of these dates. Please choose others.',
    ],
  ])(
    'reports a problem with hours within one day at the time field: %s',
    (_name, terms, requested, field, problem) => {
      // 6:30 AM in New York.
      const nowMs = Date.parse('2026-05-04T10:30:00Z');

      expect(findProblem(hourly(terms), requested, [taken], nowMs)).toMatchObject({
        field,
        problem,
      });
    },
  );

  it.each<[string, Terms, RequestedPeriod, string, string]>([
    [
      'a blocked day',
      { blocked: [{ from: '2026-05-05', to: '2026-05-06' }] },
      dates('2026-05-04', '2026-05-08'),
      'blocked',
      'The owner does not lend it on some of these days. Please choose others.',
    ],
    [
      'a closed weekday',
      { hours: { sunday: null } },
      dates('2026-05-03', '2026-05-05'),
      'closed',
      'It can’t be picked up on Sundays.',
    ],
    [
      'a return after closing time',
      { hours: { monday: { from: '08:00', to: '17:30' } } },
      dates('2026-05-01', '2026-05-04', '9.00 AM', '6.00 PM'),
      'closed',
      'On Mondays it can be brought back from 8:00 AM to 5:30 PM.',
    ],
    [
      'too short a rental',
      { shortest: 3 },
      dates('2026-05-04', '2026-05-06'),
      'too-short',
      'It is rented for at least 3 days.',
    ],
    [
      'too long a rental',
      { longest: 1 },
      dates('2026-05-04', '2026-05-06'),
      'too-long',
      'It is rented for at most 1 day.',
    ],
  ])('rejects a rental with %s by the owner’s terms', (_name, terms, requested, why, problem) => {
    expect(findProblem(tool(terms), requested)).toMatchObject({ why, problem });
  });

  it('allows a rental that spans a closed day', () => {
    const requested = dates('2026-05-02', '2026-05-04');

    expect(findProblem(tool({ hours: { sunday: null } }), requested)).toBeUndefined();
  });

  it('requires notice before the start time, or before the end of the start day if the rental has no times', () => {
    const rules = tool({ noticeHours: 24 });
    const nowMs = Date.parse('2026-05-04T15:00:00Z');
    const at = (time: string) =>
      findProblem(rules, dates('2026-05-05', '2026-05-06', time), [], nowMs);

    expect([at('10.30 AM')?.why, at('11.00 AM'), at('')]).toEqual([
      'too-soon',
      undefined,
      undefined,
    ]);
    expect(findProblem(rules, dates('2026-05-04', '2026-05-06'), [], nowMs)?.problem).toBe(
      'The owner needs 24 hours of notice. Please choose a later start.',
    );
  });

  // Across these clock changes, 9 AM to 9 AM on the next day is 23 or 25 hours.
  it.each([
    ['America/New_York', '2026-03-07', '2026-03-08'],
    ['America/New_York', '2026-10-31', '2026-11-01'],
    ['Europe/Berlin', '2026-03-28', '2026-03-29'],
    ['Europe/Berlin', '2026-10-24', '2026-10-25'],
    ['Australia/Lord_Howe', '2026-10-03', '2026-10-04'],
    ['Australia/Lord_Howe', '2026-04-04', '2026-04-05'],
  ])('counts a buffer of a day as a calendar day: %s, %s', (timeZone, before, after) => {
    const endMs = toInstantMs(Date.parse(`${before}T09:00Z`), timeZone);
    const taken: Taken[] = [{ unit: 1, why: 'booked', fromMs: endMs - 10 * hourMs, toMs: endMs }];
    const rules = tool({ buffer: 1 }, { timeZone });
    const from = (time: string) =>
      findProblem(rules, dates(after, '2027-01-01', time, time), taken);

    expect([from('8.30 AM')?.why, from('9.00 AM')]).toEqual(['booked', undefined]);
  });

  const changes = [
    ['America/New_York', '2026-03-08'],
    ['America/New_York', '2026-11-01'],
    ['Europe/Berlin', '2026-03-29'],
    ['Europe/Berlin', '2026-10-25'],
    ['Australia/Lord_Howe', '2026-10-04'],
    ['Australia/Lord_Howe', '2026-04-05'],
  ] as const;

  it.each(changes)(
    'counts a buffer in elapsed hours across a clock change: %s, %s',
    (timeZone, date) => {
      // The span begins before the clock change and ends after it, at 1, 2 or 3 AM.
      const endMs = toInstantMs(Date.parse(`${date}T00:30Z`), timeZone);
      const taken: Taken[] = [{ unit: 1, why: 'booked', fromMs: endMs - hourMs, toMs: endMs }];
      const rules = tool({ buffer: 4 }, { timeZone, circle: 'hourly' });
      const calendar = calendarOf(rules, { taken, nowMs: longBefore });
      const isFree = (fromMs: number) =>
        calendar.freeUnits({ fromMs, toMs: fromMs + hourMs }).length > 0;

      expect([isFree(endMs + 4 * hourMs - 1), isFree(endMs + 4 * hourMs)]).toEqual([false, true]);
      expect(calendar.days(date, date)[0]?.intervals?.[0]?.fromMs).toBe(endMs + 4 * hourMs);
    },
  );

  it.each(changes)(
    'counts notice in elapsed hours across a clock change: %s, %s',
    (timeZone, date) => {
      const startMs = toInstantMs(Date.parse(`${date}T09:00Z`), timeZone);
      const rules = tool({ noticeHours: 24 }, { timeZone });
      const requested = dates(date, '2027-01-01', '9.00 AM', '9.00 AM');
      const at = (nowMs: number) => findProblem(rules, requested, [], nowMs)?.why;

      expect([at(startMs - 24 * hourMs), at(startMs - 24 * hourMs + 1)]).toEqual([
        undefined,
        'too-soon',
      ]);
    },
  );

  it.each(changes)('opens at local time on the day of a clock change: %s, %s', (timeZone, date) => {
    const rules = tool(
      { hours: { sunday: { from: '08:00', to: '18:00' } } },
      { timeZone, circle: 'hourly' },
    );
    const calendar = calendarOf(rules, { taken: [], nowMs: longBefore });
    const local = (ms: number) => new Date(toLocalMs(ms, timeZone)).toISOString().slice(11, 16);

    const [interval] = calendar.days(date, date)[0]?.intervals ?? [];

    expect([interval?.fromMs, interval?.toMs].map((ms) => local(ms as number))).toEqual([
      '08:00',
      '18:00',
    ]);
    expect(calendar.isOpen(date, '7.30 AM')).toBe(false);
    expect(calendar.isOpen(date, '6.00 PM')).toBe(true);
  });

  it('keeps the buffer free before and after a booked span', () => {
    const span = (from: string, to: string) => ({ fromMs: Date.parse(from), toMs: Date.parse(to) });
    const taken: Taken[] = [
      { unit: 1, why: 'booked', ...span('2026-05-05T10:00Z', '2026-05-05T12:00Z') },
    ];
    const rules = tool({ buffer: 2 }, { timeZone: 'UTC', circle: 'hourly' });
    const calendar = calendarOf(rules, { taken, nowMs: longBefore });
    const isFree = (from: string, to: string) =>
      calendar.freeUnits(span(`2026-05-05T${from}Z`, `2026-05-05T${to}Z`)).length > 0;

    expect([isFree('07:00', '08:00'), isFree('07:30', '08:30')]).toEqual([true, false]);
    expect([isFree('14:00', '15:00'), isFree('13:30', '14:30')]).toEqual([true, false]);
    expect(calendar.days('2026-05-05', '2026-05-05')[0]?.intervals).toEqual([
      { ...span('2026-05-05', '2026-05-05T08:00Z'), free: 1 },
      { ...span('2026-05-05T14:00Z', '2026-05-06'), free: 1 },
    ]);
  });

  it('has one free unit less while a unit that the owner has removed is still rented out', () => {
    const rules = tool(null, { units: 2 });
    const span = { fromMs: longBefore, toMs: longBefore + dayMs };
    const taken: Taken[] = [{ unit: 3, why: 'booked', ...span }];

    expect(calendarOf(rules, { taken, nowMs: longBefore }).freeUnits(span)).toEqual([1]);
  });
});

describe('isFreeOn', () => {
  it('counts a daily tool as free if it can be held on the requested days, and an hourly tool if it has free hours on each of them', () => {
    fc.assert(
      fc.property(situation, days, fc.integer({ min: 0, max: 4 }), (given, start, more) => {
        const { rules, calendar, first, taken, nowMs } = given;
        const [from, to] = [dayAfter(first, start), dayAfter(first, start + more)];
        const requested = { startDate: from, startTime: '', endDate: dayAfter(to, 1), endTime: '' };

        const isFree = isFreeOn(rules, { from, to }, { taken, nowMs });

        const shown = calendar.days(from, to);
        if (rules.circle === 'hourly')
          return expect(isFree).toBe(shown.every(({ intervals = [] }) => intervals.length > 0));
        const wanted = wantedOf(requested, { ...rules, quantity: 1 });
        if (!calendar.problemOf(wanted)) expect(isFree).toBe(true);
        if (!isFree) return;
        const span = { fromMs: wanted.startsAtMs, toMs: wanted.endsAtMs };
        expect(calendar.freeUnits(span).length).toBeGreaterThan(0);
        expect(['too-soon', 'blocked', 'closed']).not.toContain(shown[0]?.why);
      }),
      runs,
    );
  });

  describe('Intl calls', () => {
    const dates = { from: '2027-01-01', to: '2027-03-31' };
    const nowMs = Date.parse('2026-12-01');
    const byTheHour = (terms: Terms | null): Rules => ({
      circle: 'hourly',
      timeZone: 'America/Chicago',
      units: 1,
      terms,
    });
    /** Counts the Intl calls during `act`. */
    const readingsOf = (act: () => void): number => {
      const parts = jest.spyOn(Intl.DateTimeFormat.prototype, 'formatToParts');
      const texts = jest.spyOn(
        Intl.DateTimeFormat.prototype as { readonly format: unknown },
        'format',
        'get',
      );
      act();
      const readings = parts.mock.calls.length + texts.mock.calls.length;
      parts.mockRestore();
      texts.mockRestore();
      return readings;
    };

    it('reads the slow Intl clock once per day for all tools of a time zone', () => {
      const midnights = new Map<string, number>();

      const readings = readingsOf(() => {
        for (let i = 0; i < 50; i++)
          expect(isFreeOn(byTheHour({}), dates, { taken: [], nowMs, midnights })).toBe(true);
      });

      expect(readings).toBeLessThan(90 * 3 + 50 * 10);
    });

    it('reads the slow Intl clock only up to the first day that is not free', () => {
      const rules = byTheHour({ blocked: [{ from: dates.from, to: dates.from }] });

      const readings = readingsOf(() => {
        expect(isFreeOn(rules, dates, { taken: [], nowMs })).toBe(false);
      });

      expect(readings).toBeLessThan(20);
    });
  });

  it('allows a return on the last day if the owner is closed on the day after', () => {
    const closed = { sunday: null };
    const rules: Rules = { circle: 'daily', timeZone: 'UTC', units: 1, terms: { hours: closed } };
    const [friday, saturday, sunday] = ['2026-11-27', '2026-11-28', '2026-11-29'] as const;
    const isFree = (from: string, to: string) =>
      isFreeOn(rules, { from, to }, { taken: [], nowMs: Date.parse('2026-11-01') });

    expect([isFree(friday, saturday), isFree(friday, sunday), isFree(sunday, sunday)]).toEqual([
      ...[true, true, false],
    ]);
  });
});
