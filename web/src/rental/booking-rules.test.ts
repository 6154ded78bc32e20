import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { buildTool } from '../../test/people-and-tools.ts';
import { emptyDraft } from './booking-draft.ts';
import { checkDraft, endTimes, firstDay, startTimes, suggestTimes } from './booking-rules.ts';

const drill = buildTool();
const saw = buildTool({ rental_circle: 'hourly' });

function days(start_date: string, end_date: string) {
  return { ...emptyDraft, start_date, end_date };
}

/** Sets the time on Friday, November 27, in Portland. */
function setClock(time: string) {
  return jest.spyOn(Date, 'now').mockReturnValue(Date.parse(`2026-11-27T${time}:00-08:00`));
}

beforeEach(() => {
  setClock('13:10');
});
afterEach(() => {
  jest.restoreAllMocks();
});

describe('the choice of times', () => {
  it('offers no start time that has passed today at the tool’s place', () => {
    expect(startTimes(drill, '2026-11-27')[0]).toBe('1.30 PM');
    expect(startTimes(drill, '2026-11-28')[0]).toBe('7.00 AM');
    expect(firstDay(drill)).toBe('2026-11-27');
  });

  it('allows tomorrow as the first day once today’s last start time is over', () => {
    setClock('19:16');

    expect(firstDay(drill)).toBe('2026-11-28');
  });

  it('rejects a time and a day that have passed', () => {
    const times = { start_time: '1.00 PM', end_time: '1.00 PM' };

    const late = checkDraft(drill, { ...days('2026-11-27', '2026-11-28'), ...times }, true);
    const yesterday = checkDraft(drill, days('2026-11-26', '2026-11-28'), false);

    expect(late).toEqual({ start_time: 'The start time has already passed.' });
    expect(yesterday).toEqual({ start_date: 'The start date has already passed.' });
  });
});

it.each(['', 'xx', '2026-1', '2026-99-99'])(
  'reports a missing day for the impossible date “%s”',
  (day) => {
    const chosen = { ...days(day, day), start_time: '9.00 AM', end_time: '9.00 AM' };

    expect(checkDraft(drill, chosen, true)).toHaveProperty('start_date');
    expect(() => suggestTimes(drill, chosen)).not.toThrow();
    expect(() => startTimes(drill, day)).not.toThrow();
  },
);

describe('suggestTimes', () => {
  it.each([
    ['whole days', drill, '2026-12-01', '2026-12-03', '9.00 AM', '9.00 AM'],
    ['one day until the evening', drill, '2026-12-01', '2026-12-01', '9.00 AM', '7.00 PM'],
    ['two hours', saw, '2026-12-01', '2026-12-01', '9.00 AM', '11.00 AM'],
    ['today from the next possible time', saw, '2026-11-27', '2026-11-27', '1.30 PM', '3.30 PM'],
  ] as const)('suggests a start and an end time: %s', (_, tool, from, to, start_time, end_time) => {
    expect(suggestTimes(tool, days(from, to))).toMatchObject({ start_time, end_time });
  });

  it('keeps chosen times that the dates allow, and replaces the others', () => {
    const chosen = {
      ...days('2026-12-01', '2026-12-03'),
      start_time: '10.00 AM',
      end_time: '8.00 AM',
    };

    expect(suggestTimes(drill, chosen)).toEqual(chosen);
    expect(suggestTimes(drill, { ...chosen, end_date: '2026-12-01' })).toMatchObject({
      start_time: '10.00 AM',
      end_time: '7.00 PM',
    });
    expect(suggestTimes(drill, { ...chosen, start_date: '2026-11-27' }).start_time).toBe('1.30 PM');
  });
});

it('offers only times after the start for a return on the first day', () => {
  const one = { ...days('2026-12-01', '2026-12-01'), start_time: '6.30 PM' };

  expect(endTimes(drill, one)).toEqual(['7.00 PM', '7.15 PM']);
  expect(endTimes(drill, { ...one, end_date: '2026-12-02' })).toContain('7.00 AM');
});
