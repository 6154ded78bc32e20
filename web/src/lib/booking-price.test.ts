import { describe, expect, it } from '@jest/globals';
import { countedPrice, countPeriod, endsAfterStart, paymentDue } from './booking-price.ts';

const zone = 'America/Los_Angeles';
const times = (start: string, end: string) => {
  const [start_date = '', start_time = ''] = start.split('@');
  const [end_date = '', end_time = ''] = end.split('@');
  return { start_date, start_time, end_date, end_time };
};

describe('the period of a daily tool', () => {
  it.each([
    ['two dates', '2026-11-10', '2026-11-12', 2],
    ['less than a day', '2026-11-10@9.00 AM', '2026-11-10@6.30 PM', 1],
    ['the same day without times', '2026-11-10', '2026-11-10', 1],
    ['a day and a half', '2026-11-10@7.00 AM', '2026-11-11@7.00 PM', 1],
    ['the 23-hour day in March', '2026-03-07@7.00 AM', '2026-03-08@7.00 AM', 1],
    ['a missing returning time', '2026-11-10@9.00 AM', '2026-11-12', 2],
  ])('counts whole days: %s', (_, start, end, days) => {
    expect(countPeriod('daily', times(start, end), zone)).toBe(days);
  });
});

describe('the period of an hourly tool', () => {
  it.each([
    ['three hours', '2026-11-10@9.00 AM', '2026-11-10@12.00 PM', 3],
    ['a begun hour counts whole', '2026-11-10@9.00 AM', '2026-11-10@10.30 AM', 2],
    ['the night when the clocks go forward', '2026-03-07@7.00 PM', '2026-03-08@7.00 AM', 11],
    ['the night when they go back', '2026-10-31@7.00 PM', '2026-11-01@7.00 AM', 13],
  ])('counts hours: %s', (_, start, end, hours) => {
    expect(countPeriod('hourly', times(start, end), zone)).toBe(hours);
  });
});

describe('endsAfterStart', () => {
  it('takes the same moment for a daily tool alone', () => {
    const same = times('2026-11-10@9.00 AM', '2026-11-10@9.00 AM');

    expect(endsAfterStart('daily', same)).toBe(true);
    expect(endsAfterStart('hourly', same)).toBe(false);
  });

  it('refuses a return before the start', () => {
    expect(endsAfterStart('daily', times('2026-11-10@9.00 AM', '2026-11-10@8.30 AM'))).toBe(false);
  });
});

describe('paymentDue', () => {
  it('multiplies cents', () => {
    expect(paymentDue(0.1, 3, 1)).toBe(0.3);
    expect(paymentDue(12.5, 3, 2)).toBe(75);
  });
});

describe('countedPrice', () => {
  it.each([
    [2, 1, '$12.50 × 2 days'],
    [1, 1, '$12.50 × 1 day'],
    [2, 3, '$12.50 × 2 days × 3'],
  ])('of %i days and %i units is %s', (period, quantity, words) => {
    expect(countedPrice('daily', { price: 12.5, period, quantity })).toBe(words);
  });
});
