import { describe, expect, it } from '@jest/globals';
import type { Circle } from '@lendtools/contracts/rental-period';
import { AppError } from '@lendtools/service-kit';
import { rentalPeriod } from './period.ts';

const chicago = 'America/Chicago';
const now = new Date('2026-03-01T15:00:00Z');

const ask = (
  [startDate, startTime]: [string, string],
  [endDate, endTime]: [string, string],
  circle: Circle = 'daily',
  timeZone = chicago,
) =>
  rentalPeriod(
    { startDate, startTime, endDate, endTime },
    { circle, timeZone, now, path: 'lines[1]' },
  );

const refusalOf = (work: () => unknown): { code: string; message: string; path?: string } => {
  try {
    work();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { code, message, errors } = error;
    return { code, message, path: errors[0]?.path };
  }
  throw new Error('Nothing was refused');
};

describe('the period of a daily tool', () => {
  it.each([
    ['10th to 12th without times', ['2026-03-10', ''], ['2026-03-12', ''], 2],
    ['the same day without times', ['2026-03-10', ''], ['2026-03-10', ''], 1],
    ['a few hours', ['2026-03-10', '7.00 AM'], ['2026-03-10', '11.30 AM'], 1],
    ['exactly one day', ['2026-03-10', '7.00 AM'], ['2026-03-11', '7.00 AM'], 1],
    ['a day and 23 hours', ['2026-03-10', '7.00 AM'], ['2026-03-12', '6.00 AM'], 1],
    ['two days and some hours', ['2026-03-10', '7.00 AM'], ['2026-03-12', '6.30 PM'], 2],
    ['only a start time', ['2026-03-10', '9.00 AM'], ['2026-03-12', ''], 2],
    ['only an end time', ['2026-03-10', ''], ['2026-03-12', '9.00 AM'], 2],
    ['the same moment twice', ['2026-03-10', '9.00 AM'], ['2026-03-10', '9.00 AM'], 1],
    ['the 23-hour day, 7 AM to 7 AM', ['2026-03-07', '7.00 AM'], ['2026-03-08', '7.00 AM'], 1],
    ['two days over the 23-hour one', ['2026-03-07', '7.00 AM'], ['2026-03-09', '7.00 AM'], 2],
    ['the 25-hour day, 7 AM to 7 AM', ['2026-10-31', '7.00 AM'], ['2026-11-01', '7.00 AM'], 1],
    ['two days over the 25-hour one', ['2026-10-31', '7.00 AM'], ['2026-11-02', '7.00 AM'], 2],
    ['24 hours that are not a day', ['2026-10-31', '7.00 PM'], ['2026-11-01', '6.00 PM'], 1],
  ] as const)('%s', (_name, start, end, days) => {
    expect(ask([...start], [...end]).period).toBe(days);
  });

  it('without times is from the start of one local day to the start of the other', () => {
    const { startsAt, endsAt } = ask(['2026-03-07', ''], ['2026-03-09', '']);

    expect(startsAt.toISOString()).toBe('2026-03-07T06:00:00.000Z');
    // After the clocks went forward, the local midnight is an hour earlier.
    expect(endsAt.toISOString()).toBe('2026-03-09T05:00:00.000Z');
  });

  it('is never without length', () => {
    const { startsAt, endsAt } = ask(['2026-03-10', ''], ['2026-03-10', '']);

    expect(endsAt.getTime() - startsAt.getTime()).toBe(86_400_000);
  });
});

describe('the period of an hourly tool', () => {
  it.each([
    ['two hours', ['2026-03-10', '7.00 AM'], ['2026-03-10', '9.00 AM'], 2],
    ['a begun hour counts', ['2026-03-10', '7.00 AM'], ['2026-03-10', '8.30 AM'], 2],
    ['half an hour', ['2026-03-10', '7.00 AM'], ['2026-03-10', '7.30 AM'], 1],
    ['over noon', ['2026-03-10', '11.30 AM'], ['2026-03-10', '12.30 PM'], 1],
    ['over midnight', ['2026-03-10', '7.00 PM'], ['2026-03-11', '7.00 AM'], 12],
    ['24-hour times', ['2026-03-10', '07:00'], ['2026-03-10', '19:15'], 13],
    ['over the hour that is left out', ['2026-03-08', '1.00 AM'], ['2026-03-08', '4.00 AM'], 2],
    ['over the hour that comes twice', ['2026-11-01', '12.00 AM'], ['2026-11-01', '3.00 AM'], 4],
    ['a night into the 23-hour day', ['2026-03-07', '7.00 PM'], ['2026-03-08', '7.00 AM'], 11],
    ['a night into the 25-hour day', ['2026-10-31', '7.00 PM'], ['2026-11-01', '7.00 AM'], 13],
  ] as const)('%s', (_name, start, end, hours) => {
    expect(ask([...start], [...end], 'hourly').period).toBe(hours);
  });

  it('asks for both times', () => {
    expect(refusalOf(() => ask(['2026-03-10', ''], ['2026-03-10', '9.00 AM'], 'hourly'))).toEqual({
      code: 'PERIOD_INVALID',
      message: 'Please select your start time',
      path: 'lines[1].start_time',
    });
    expect(
      refusalOf(() => ask(['2026-03-10', '7.00 AM'], ['2026-03-10', ''], 'hourly')).message,
    ).toBe('Please select your returning time');
  });

  it('refuses the same moment twice', () => {
    const work = () => ask(['2026-03-10', '7.00 AM'], ['2026-03-10', '7.00 AM'], 'hourly');

    expect(refusalOf(work).message).toBe('The returning time must be after the start time.');
  });
});

describe('the days on which the clocks move, in the zone of the tool', () => {
  const spring = ['2026-03-08', '2026-03-09'] as const;
  const autumn = ['2026-11-01', '2026-11-02'] as const;

  it.each([
    ['spring', spring, chicago, 23],
    ['autumn', autumn, chicago, 25],
    ['spring, by the coast', spring, 'America/Los_Angeles', 23],
    ['autumn, by the coast', autumn, 'America/Los_Angeles', 25],
    ['spring, where no clock moves', spring, 'America/Phoenix', 24],
    ['autumn, where no clock moves', autumn, 'Pacific/Honolulu', 24],
  ] as const)(
    'a whole day in %s is one day, and each of its hours',
    (_, [day, next], zone, hours) => {
      const whole = ask([day, ''], [day, ''], 'daily', zone);
      const byHours = ask([day, '12.00 AM'], [next, '12.00 AM'], 'hourly', zone);

      expect([whole.period, byHours.period]).toEqual([1, hours]);
      for (const { startsAt, endsAt } of [whole, byHours])
        expect(endsAt.getTime() - startsAt.getTime()).toBe(hours * 3_600_000);
    },
  );

  it('a time that the clocks jump over is the one an hour later', () => {
    const { startsAt, period } = ask(
      ['2026-03-08', '2.30 AM'],
      ['2026-03-08', '5.30 AM'],
      'hourly',
    );

    expect([startsAt.toISOString(), period]).toEqual(['2026-03-08T08:30:00.000Z', 2]);
    const backwards = () => ask(['2026-03-08', '2.30 AM'], ['2026-03-08', '3.00 AM'], 'hourly');
    expect(refusalOf(backwards).message).toBe('The returning time must be after the start time.');
  });

  it('a time that comes twice is the first of them', () => {
    const { startsAt, period } = ask(
      ['2026-11-01', '1.30 AM'],
      ['2026-11-01', '2.00 AM'],
      'hourly',
    );

    expect([startsAt.toISOString(), period]).toEqual(['2026-11-01T06:30:00.000Z', 2]);
  });

  it('a daily tool that comes back at the hour that there is not, or is twice, is out one day', () => {
    expect(ask(['2026-03-07', '2.30 AM'], ['2026-03-08', '2.30 AM']).period).toBe(1);
    expect(ask(['2026-10-31', '1.30 AM'], ['2026-11-01', '1.30 AM']).period).toBe(1);
  });
});

describe('what can not be rented', () => {
  it.each([
    ['an end before the start', ['2026-03-10', ''], ['2026-03-09', ''], 'end_date'],
    [
      'an end time before the start',
      ['2026-03-10', '9.00 AM'],
      ['2026-03-10', '8.00 AM'],
      'end_time',
    ],
    ['a start yesterday', ['2026-02-28', ''], ['2026-03-02', ''], 'start_date'],
    ['a time that is over', ['2026-03-01', '7.00 AM'], ['2026-03-01', '8.00 AM'], 'end_time'],
    [
      'a start time that is over',
      ['2026-03-01', '8.30 AM'],
      ['2026-03-03', '9.00 AM'],
      'start_time',
    ],
    ['a start in more than a year', ['2027-03-02', ''], ['2027-03-03', ''], 'start_date'],
    ['more than 90 days', ['2026-03-10', ''], ['2026-06-09', ''], 'end_date'],
  ] as const)('%s', (_name, start, end, field) => {
    expect(refusalOf(() => ask([...start], [...end]))).toMatchObject({
      code: 'PERIOD_INVALID',
      path: `lines[1].${field}`,
    });
  });

  it('but today can, in the zone of the tool, up to a quarter of an hour after the start', () => {
    expect(ask(['2026-03-01', '8.45 AM'], ['2026-03-02', '9.00 AM']).period).toBe(1);
    expect(ask(['2026-03-01', ''], ['2026-03-02', '']).period).toBe(1);
    // 15:00 UTC on the 1st is already the 2nd in Auckland.
    expect(
      refusalOf(() => ask(['2026-03-01', ''], ['2026-03-03', ''], 'daily', 'Pacific/Auckland'))
        .path,
    ).toBe('lines[1].start_date');
    expect(ask(['2026-03-01', ''], ['2026-05-30', '']).period).toBe(90);
  });
});

describe('the times as they are kept', () => {
  it.each([
    ['7.00 AM', '7.00 AM'],
    ['07:00', '7.00 AM'],
    ['7:15 pm', '7.15 PM'],
    ['12.00 AM', '12.00 AM'],
    ['00:30', '12.30 AM'],
    ['12:05', '12.05 PM'],
    ['', ''],
  ])('%p becomes %p', (given, kept) => {
    expect(ask(['2026-03-10', given], ['2026-03-12', given])).toMatchObject({
      startTime: kept,
      endTime: kept,
    });
  });
});
