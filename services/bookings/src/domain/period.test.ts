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

const rejectionOf = (work: () => unknown): { code: string; message: string; path?: string } => {
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
    ['the 10th to the 12th without times', ['2026-03-10', ''], ['2026-03-12', ''], 2],
    ['a single date without times', ['2026-03-10', ''], ['2026-03-10', ''], 1],
    ['a few hours', ['2026-03-10', '7.00 AM'], ['2026-03-10', '11.30 AM'], 1],
    ['exactly one day', ['2026-03-10', '7.00 AM'], ['2026-03-11', '7.00 AM'], 1],
    ['a day and 23 hours', ['2026-03-10', '7.00 AM'], ['2026-03-12', '6.00 AM'], 1],
    ['two days and some hours', ['2026-03-10', '7.00 AM'], ['2026-03-12', '6.30 PM'], 2],
    ['a period with only a start time', ['2026-03-10', '9.00 AM'], ['2026-03-12', ''], 2],
    ['a period with only an end time', ['2026-03-10', ''], ['2026-03-12', '9.00 AM'], 2],
    ['a period that ends when it starts', ['2026-03-10', '9.00 AM'], ['2026-03-10', '9.00 AM'], 1],
    ['the 23-hour day, 7 AM to 7 AM', ['2026-03-07', '7.00 AM'], ['2026-03-08', '7.00 AM'], 1],
    ['two days over the 23-hour one', ['2026-03-07', '7.00 AM'], ['2026-03-09', '7.00 AM'], 2],
    ['the 25-hour day, 7 AM to 7 AM', ['2026-10-31', '7.00 AM'], ['2026-11-01', '7.00 AM'], 1],
    ['two days over the 25-hour one', ['2026-10-31', '7.00 AM'], ['2026-11-02', '7.00 AM'], 2],
    ['24 hours in a 25-hour day', ['2026-10-31', '7.00 PM'], ['2026-11-01', '6.00 PM'], 1],
  ] as const)('counts the days of %s', (_name, start, end, days) => {
    expect(ask([...start], [...end]).period).toBe(days);
  });

  it('spans local midnight to local midnight if no times are given', () => {
    const { startsAt, endsAt } = ask(['2026-03-07', ''], ['2026-03-09', '']);

    expect(startsAt.toISOString()).toBe('2026-03-07T06:00:00.000Z');
    // The clocks went forward, so local midnight is an hour earlier in UTC.
    expect(endsAt.toISOString()).toBe('2026-03-09T05:00:00.000Z');
  });

  it('lasts a day if start and end are the same date', () => {
    const { startsAt, endsAt } = ask(['2026-03-10', ''], ['2026-03-10', '']);

    expect(endsAt.getTime() - startsAt.getTime()).toBe(86_400_000);
  });
});

describe('the period of an hourly tool', () => {
  it.each([
    ['two hours', ['2026-03-10', '7.00 AM'], ['2026-03-10', '9.00 AM'], 2],
    ['an hour and a half', ['2026-03-10', '7.00 AM'], ['2026-03-10', '8.30 AM'], 2],
    ['half an hour', ['2026-03-10', '7.00 AM'], ['2026-03-10', '7.30 AM'], 1],
    ['an hour over noon', ['2026-03-10', '11.30 AM'], ['2026-03-10', '12.30 PM'], 1],
    ['a night over midnight', ['2026-03-10', '7.00 PM'], ['2026-03-11', '7.00 AM'], 12],
    ['a span in 24-hour times', ['2026-03-10', '07:00'], ['2026-03-10', '19:15'], 13],
    ['a span over the skipped hour', ['2026-03-08', '1.00 AM'], ['2026-03-08', '4.00 AM'], 2],
    ['a span over the repeated hour', ['2026-11-01', '12.00 AM'], ['2026-11-01', '3.00 AM'], 4],
    ['a night into the 23-hour day', ['2026-03-07', '7.00 PM'], ['2026-03-08', '7.00 AM'], 11],
    ['a night into the 25-hour day', ['2026-10-31', '7.00 PM'], ['2026-11-01', '7.00 AM'], 13],
  ] as const)('counts the hours of %s', (_name, start, end, hours) => {
    expect(ask([...start], [...end], 'hourly').period).toBe(hours);
  });

  it('requires a start time and an end time', () => {
    expect(rejectionOf(() => ask(['2026-03-10', ''], ['2026-03-10', '9.00 AM'], 'hourly'))).toEqual(
      {
        code: 'PERIOD_INVALID',
        message: 'Please select your start time',
        path: 'lines[1].start_time',
      },
    );
    expect(
      rejectionOf(() => ask(['2026-03-10', '7.00 AM'], ['2026-03-10', ''], 'hourly')).message,
    ).toBe('Please select your returning time');
  });

  it('must end after its start', () => {
    const work = () => ask(['2026-03-10', '7.00 AM'], ['2026-03-10', '7.00 AM'], 'hourly');

    expect(rejectionOf(work).message).toBe('The returning time must be after the start time.');
  });
});

describe('rentalPeriod across a clock change in the time zone of the tool', () => {
  const spring = ['2026-03-08', '2026-03-09'] as const;
  const autumn = ['2026-11-01', '2026-11-02'] as const;

  it.each([
    ['spring', spring, chicago, 23],
    ['autumn', autumn, chicago, 25],
    ['spring, in Los Angeles', spring, 'America/Los_Angeles', 23],
    ['autumn, in Los Angeles', autumn, 'America/Los_Angeles', 25],
    ['spring, in Phoenix without clock changes', spring, 'America/Phoenix', 24],
    ['autumn, in Honolulu without clock changes', autumn, 'Pacific/Honolulu', 24],
  ] as const)(
    'charges a day in %s as one day if the tool is daily, and by its real hours if the tool is hourly',
    (_, [day, next], zone, hours) => {
      const whole = ask([day, ''], [day, ''], 'daily', zone);
      const byHours = ask([day, '12.00 AM'], [next, '12.00 AM'], 'hourly', zone);

      expect([whole.period, byHours.period]).toEqual([1, hours]);
      for (const { startsAt, endsAt } of [whole, byHours])
        expect(endsAt.getTime() - startsAt.getTime()).toBe(hours * 3_600_000);
    },
  );

  it('moves a time skipped by the clock change forward by an hour', () => {
    const { startsAt, period } = ask(
      ['2026-03-08', '2.30 AM'],
      ['2026-03-08', '5.30 AM'],
      'hourly',
    );

    expect([startsAt.toISOString(), period]).toEqual(['2026-03-08T08:30:00.000Z', 2]);
    const backwards = () => ask(['2026-03-08', '2.30 AM'], ['2026-03-08', '3.00 AM'], 'hourly');
    expect(rejectionOf(backwards).message).toBe('The returning time must be after the start time.');
  });

  it('takes the first of two instants with the same local time', () => {
    const { startsAt, period } = ask(
      ['2026-11-01', '1.30 AM'],
      ['2026-11-01', '2.00 AM'],
      'hourly',
    );

    expect([startsAt.toISOString(), period]).toEqual(['2026-11-01T06:30:00.000Z', 2]);
  });

  it('charges one day if a daily tool is returned in the skipped or the repeated hour', () => {
    expect(ask(['2026-03-07', '2.30 AM'], ['2026-03-08', '2.30 AM']).period).toBe(1);
    expect(ask(['2026-10-31', '1.30 AM'], ['2026-11-01', '1.30 AM']).period).toBe(1);
  });
});

describe('rentalPeriod, checking its limits', () => {
  it.each([
    ['an end before the start', ['2026-03-10', ''], ['2026-03-09', ''], 'end_date'],
    [
      'an end time before the start',
      ['2026-03-10', '9.00 AM'],
      ['2026-03-10', '8.00 AM'],
      'end_time',
    ],
    ['a start yesterday', ['2026-02-28', ''], ['2026-03-02', ''], 'start_date'],
    ['an end time in the past', ['2026-03-01', '7.00 AM'], ['2026-03-01', '8.00 AM'], 'end_time'],
    [
      'a start time in the past',
      ['2026-03-01', '8.30 AM'],
      ['2026-03-03', '9.00 AM'],
      'start_time',
    ],
    ['a start in more than a year', ['2027-03-02', ''], ['2027-03-03', ''], 'start_date'],
    ['more than 90 days', ['2026-03-10', ''], ['2026-06-09', ''], 'end_date'],
  ] as const)('rejects a period with %s', (_name, start, end, field) => {
    expect(rejectionOf(() => ask([...start], [...end]))).toMatchObject({
      code: 'PERIOD_INVALID',
      path: `lines[1].${field}`,
    });
  });

  it('accepts a start today in the time zone of the tool, at most a quarter of an hour ago', () => {
    expect(ask(['2026-03-01', '8.45 AM'], ['2026-03-02', '9.00 AM']).period).toBe(1);
    expect(ask(['2026-03-01', ''], ['2026-03-02', '']).period).toBe(1);
    // 15:00 UTC on the 1st is already the 2nd in Auckland.
    expect(
      rejectionOf(() => ask(['2026-03-01', ''], ['2026-03-03', ''], 'daily', 'Pacific/Auckland'))
        .path,
    ).toBe('lines[1].start_date');
    expect(ask(['2026-03-01', ''], ['2026-05-30', '']).period).toBe(90);
  });
});

describe('rentalPeriod, formatting times', () => {
  it.each([
    ['7.00 AM', '7.00 AM'],
    ['07:00', '7.00 AM'],
    ['7:15 pm', '7.15 PM'],
    ['12.00 AM', '12.00 AM'],
    ['00:30', '12.30 AM'],
    ['12:05', '12.05 PM'],
    ['', ''],
  ])('returns the time %p as %p', (given, kept) => {
    expect(ask(['2026-03-10', given], ['2026-03-12', given])).toMatchObject({
      startTime: kept,
      endTime: kept,
    });
  });
});
