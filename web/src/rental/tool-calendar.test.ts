import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Availability, Terms, Tool } from '@lendtools/contracts';
import { calendarOf, type Taken } from '@lendtools/contracts/availability';
import { laterDay } from '@lendtools/contracts/local-time';
import { buildTool } from '../../test/people-and-tools.ts';
import { type BookingDraft, emptyDraft } from './booking-draft.ts';
import { checkDraft, startTimes, suggestTimes } from './booking-rules.ts';
import { canEnd, canStart, moveDays, moveStart } from './choosing-when.ts';
import { nextFreeInWords } from './next-free.ts';
import { dayInWords, makeToolCalendar } from './tool-calendar.ts';

beforeEach(() => {
  // A Friday in Portland, which is eight hours behind UTC.
  jest.spyOn(Date, 'now').mockReturnValue(Date.parse('2026-11-27T13:10:00-08:00'));
});
afterEach(() => {
  jest.restoreAllMocks();
});

/** The start and the end of a rental in Portland: `['2026-12-02 09:00', '2026-12-04 09:00']`. */
type RentedPeriod = [string, string];

function msOf(moment: string) {
  return Date.parse(`${moment.replace(' ', 'T')}:00-08:00`);
}

/** The server's availability of a tool whose first unit is rented out in these periods. */
function availabilityOf(tool: Tool, out: RentedPeriod[]): Availability {
  const taken: Taken[] = out.map(([from, to]) => ({
    unit: 1,
    why: 'booked',
    fromMs: msOf(from),
    toMs: msOf(to),
  }));
  const rules = { circle: tool.rental_circle, timeZone: tool.timeZone, units: tool.quantity };
  const terms = tool.terms ?? null;
  const calendar = calendarOf({ ...rules, terms }, { taken, nowMs: Date.now() });
  return {
    item_status: 'Available',
    rental_circle: rules.circle,
    timeZone: rules.timeZone,
    quantity: rules.units,
    terms,
    days: calendar
      .days('2026-11-27', '2027-01-31')
      .map(({ date, free, why }) => ({ date, free, why })),
    taken: taken.map(({ unit, why, fromMs, toMs }) => ({
      unit,
      why,
      from: new Date(fromMs).toISOString(),
      to: new Date(toMs).toISOString(),
    })),
  };
}

interface Given {
  terms: Terms;
  circle: Tool['rental_circle'];
  quantity: number;
}

function given(
  out: RentedPeriod[],
  { terms, circle = 'daily', quantity = 1 }: Partial<Given> = {},
) {
  const tool = buildTool({ quantity, rental_circle: circle, terms: terms ?? null });
  const calendar = makeToolCalendar(tool, [availabilityOf(tool, out)]);
  const draft = { ...emptyDraft };
  const december = Array.from({ length: 14 }, (_, i) => laterDay('2026-12-01', i));
  const dayOf = (date: string) => Number(date.slice(-2));
  return {
    tool,
    calendar,
    isTakenNow: calendar.isTakenNow,
    nextFree: (withTimes = false) => nextFreeInWords(tool, calendar, withTimes),
    starts: (withTimes: boolean) =>
      december.filter((day) => canStart(tool, day, { draft, withTimes, calendar })).map(dayOf),
    ends: (start_date: string, withTimes: boolean) =>
      december
        .filter((day) => day >= start_date)
        .filter((day) =>
          canEnd(tool, day, { draft: { ...draft, start_date }, withTimes, calendar }),
        )
        .map(dayOf),
    suggest: (start_date: string, end_date: string, times: Partial<BookingDraft> = {}) => {
      const found = suggestTimes(tool, { ...draft, start_date, end_date, ...times }, calendar);
      return { ...found, errors: checkDraft(tool, found, true, calendar) };
    },
  };
}

function days(from: number, to: number) {
  return Array.from({ length: to - from + 1 }, (_, i) => from + i);
}

describe('the choice of days', () => {
  it('offers the days around another rental and, with times, also that rental’s first and last day', () => {
    const { starts, ends } = given([['2026-12-05 09:00', '2026-12-08 09:00']]);

    expect(starts(false)).toEqual([...days(1, 4), ...days(9, 14)]);
    expect(starts(true)).toEqual([...days(1, 5), ...days(8, 14)]);
    expect(ends('2026-12-03', false)).toEqual([3, 4, 5]);
    expect(ends('2026-12-03', true)).toEqual([3, 4, 5]);
    expect(ends('2026-12-08', true)).toEqual(days(8, 14));
  });

  it('offers a day between two rentals only if they leave hours between them', () => {
    const until = '2026-12-04 09:00';
    const first: RentedPeriod = ['2026-12-02 09:00', until];

    const close = given([first, [until, '2026-12-06 09:00']]);
    const apart = given([first, ['2026-12-04 15:00', '2026-12-06 09:00']]);

    expect(close.starts(true)).toEqual([1, 2, ...days(6, 14)]);
    expect(apart.starts(true)).toEqual([1, 2, 4, ...days(6, 14)]);
  });

  it('offers only days that the owner’s terms allow', () => {
    const hours = { sunday: null };
    const { starts, ends } = given([], { terms: { shortest: 2, longest: 4, hours } });

    // The 6th and the 13th are Sundays: a rental may include a Sunday, but not start or end on it.
    expect(starts(true)).toEqual([...days(1, 5), ...days(7, 12), 14]);
    // From the 4th to the 9th is four days, not five, if the rental ends at an earlier time of day than it starts.
    expect(ends('2026-12-04', true)).toEqual([7, 8, 9]);
    expect(ends('2026-12-04', false)).toEqual([7, 8]);
  });

  it('excludes the buffer days and the blocked days', () => {
    const blocked = [{ from: '2026-12-10', to: '2026-12-11' }];
    const { starts, ends } = given([['2026-12-05 00:00', '2026-12-06 00:00']], {
      terms: { buffer: 1, blocked },
    });

    expect(starts(false)).toEqual([...days(1, 3), 7, 8, 9, 12, 13, 14]);
    expect(ends('2026-12-01', false)).toEqual([1, 2, 3, 4]);
    expect(ends('2026-12-07', false)).toEqual([7, 8, 9, 10]);
  });

  it('excludes a start day that has no possible end', () => {
    const terms = { shortest: 2, buffer: 1 };
    const { starts, ends } = given([['2026-12-06 00:00', '2026-12-08 00:00']], { terms });

    // A rental from the 4th could last only one day, because the 5th is the buffer day before the next rental.
    expect(starts(false)).toEqual([...days(1, 3), ...days(9, 14)]);
    for (const day of days(1, 12)) {
      const date = `2026-12-${String(day).padStart(2, '0')}`;
      expect([day, starts(true).includes(day)]).toEqual([day, ends(date, true).length > 0]);
    }
  });

  it('excludes a start day if closed days would make the rental too long', () => {
    const closed = { thursday: null, friday: null, saturday: null, sunday: null };
    const { starts } = given([], { terms: { shortest: 2, longest: 3, hours: closed } });

    // The next open day after Wednesday the 2nd is Monday, which makes the rental too long.
    expect(starts(false)).toEqual([7, 14]);
  });
});

describe('the choice of times', () => {
  it('suggests the first free times if the usual ones are taken', () => {
    const taken: RentedPeriod = ['2026-12-02 09:00', '2026-12-02 12:00'];
    const { suggest, starts } = given([taken], { circle: 'hourly' });

    expect(starts(true)).toContain(2);
    expect(suggest('2026-12-02', '2026-12-02')).toMatchObject({
      start_time: '7.00 AM',
      errors: {},
    });
  });

  it('keeps a chosen start, and suggests an earlier end if another rental follows', () => {
    const { suggest } = given([['2026-12-02 12:00', '2026-12-02 14:00']], { circle: 'hourly' });
    const requested = { start_time: '10.30 AM', end_time: '12.30 PM' };

    expect(suggest('2026-12-02', '2026-12-02', requested)).toMatchObject({
      start_time: '10.30 AM',
      end_time: '11.00 AM',
      errors: {},
    });
  });

  it('keeps a chosen start that is taken, and reports the conflict', () => {
    const { suggest } = given([['2026-12-02 12:00', '2026-12-02 14:00']], { circle: 'hourly' });
    const requested = { start_time: '12.30 PM', end_time: '2.30 PM' };

    const { errors, ...found } = suggest('2026-12-02', '2026-12-02', requested);

    expect(found).toMatchObject(requested);
    expect(Object.values(errors)).toEqual([expect.stringMatching(/^Somebody else has it/)]);
  });

  it('replaces suggested times that are taken on the new days', () => {
    const { tool, calendar } = given([['2026-12-02 09:00', '2026-12-02 11:00']], {
      circle: 'hourly',
    });
    const usual = { ...emptyDraft, start_time: '9.00 AM', end_time: '11.00 AM' };
    const moved = { ...usual, start_date: '2026-12-02', end_date: '2026-12-02' };

    expect(moveDays(tool, moved, calendar)).toMatchObject({ start_time: '7.00 AM' });
  });

  it('moves the end time with the start time', () => {
    const { tool } = given([], { circle: 'hourly' });
    const date = { start_date: '2026-12-02', end_date: '2026-12-02' };
    const morning = { ...emptyDraft, ...date, start_time: '9.00 AM', end_time: '11.00 AM' };

    expect(moveStart(tool, morning, '3.00 PM')).toMatchObject({ end_time: '5.00 PM' });
    expect(moveStart(tool, morning, '6.30 PM')).toMatchObject({ end_time: '11.00 AM' });
    expect(moveStart(buildTool(), morning, '10.00 AM')).toMatchObject({ end_time: '11.00 AM' });
    expect(moveStart(tool, emptyDraft, '3.00 PM')).toMatchObject({ end_time: '3.00 PM' });
  });

  it('suggests times within the owner’s hours on the chosen day', () => {
    const hours = { wednesday: { from: '10:00', to: '16:00' } };
    const { suggest, tool } = given([], { terms: { hours } });

    expect(suggest('2026-12-02', '2026-12-04')).toMatchObject({
      start_time: '10.00 AM',
      end_time: '10.00 AM',
      errors: {},
    });
    expect([startTimes(tool, '2026-12-02')[0], startTimes(tool, '2026-12-02').at(-1)]).toEqual([
      '10.00 AM',
      '4.00 PM',
    ]);
  });

  it('reports why no times are possible', () => {
    const { suggest } = given([['2026-12-01 00:00', '2026-12-09 00:00']]);

    expect(suggest('2026-12-02', '2026-12-04').errors).toEqual({
      start_date: 'Somebody else has it on some of these dates. Please choose others.',
    });
  });
});

describe('when a tool is free next', () => {
  it('is the first day on which a rental can start, for a tool that is taken now', () => {
    const out: RentedPeriod[] = [
      ['2026-11-26 09:00', '2026-11-29 09:00'],
      ['2026-11-30 09:00', '2026-12-02 09:00'],
    ];
    const { isTakenNow, nextFree } = given(out, { terms: { shortest: 2 } });

    expect([isTakenNow, nextFree()]).toEqual([true, 'Free from Thu, Dec 3']);
    // With times, a rental may start on the day of the return.
    expect(nextFree(true)).toBe('Free from Wed, Dec 2');
  });

  it('is tomorrow or later today, for a tool that is back by then', () => {
    const { isTakenNow, nextFree } = given([['2026-11-27 09:00', '2026-11-27 15:00']]);

    expect([isTakenNow, nextFree()]).toEqual([true, 'Free from Sat, Nov 28']);
    expect(nextFree(true)).toBe('Free again later today');
  });

  it.each<[string, RentedPeriod[], Partial<Given>]>([
    ['has no bookings', [], {}],
    ['is booked from later on', [['2026-11-29 09:00', '2026-12-02 09:00']], {}],
    ['came back earlier today', [['2026-11-25 09:00', '2026-11-27 13:00']], {}],
    ['has a unit left', [['2026-11-26 09:00', '2026-12-02 09:00']], { quantity: 2 }],
    ['has free hours today', [['2026-11-27 09:00', '2026-11-27 11:00']], { circle: 'hourly' }],
  ])('is not shown for a tool that %s', (_what, out, options) => {
    const { isTakenNow, nextFree } = given(out, options);

    expect([isTakenNow, nextFree(options.circle === 'hourly')]).toEqual([false, '']);
  });

  it('is shown for a tool that its owner does not lend today and tomorrow', () => {
    const blocked = [{ from: '2026-11-27', to: '2026-12-04' }];
    const { isTakenNow, nextFree } = given([], { terms: { blocked } });

    expect([isTakenNow, nextFree()]).toEqual([false, 'Free from Sat, Dec 5']);
  });

  it('is beyond the loaded calendar, for a tool that is taken on all of its days', () => {
    const { isTakenNow, nextFree } = given([['2026-11-01 09:00', '2027-03-01 09:00']]);

    expect([isTakenNow, nextFree()]).toEqual([true, 'Not free in the next three months']);
  });

  it('is not shown until the calendar has loaded', () => {
    const tool = buildTool();

    expect(nextFreeInWords(tool, makeToolCalendar(tool, []), false)).toBe('');
  });
});

it('describes a day with some free hours as partly taken', () => {
  const hourly = { date: '2026-12-02', free: 0, why: 'booked' as const };
  const left = { from: '2026-12-02T20:00:00.000Z', to: '2026-12-02T22:00:00.000Z', free: 1 };

  expect(dayInWords({ ...hourly, intervals: [left] }, 1)).toBe('taken in part');
  expect(dayInWords({ ...hourly, intervals: [] }, 1)).toBe('taken');
  expect(dayInWords({ ...hourly, why: 'blocked', intervals: [left] }, 1)).toBe(
    'not lent on this day',
  );
});
