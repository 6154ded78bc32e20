import { describe, expect, it } from '@jest/globals';
import { spanOfMonth } from './month.ts';

describe('spanOfMonth', () => {
  it.each([
    ['2026-11', '2026-11-01', '2026-12-01'],
    ['2026-12', '2026-12-01', '2027-01-01'],
    ['2028-02', '2028-02-01', '2028-03-01'],
  ])('spans %s in UTC', (month, from, to) => {
    expect(spanOfMonth(month)).toEqual({
      from: new Date(`${from}T00:00:00Z`),
      to: new Date(`${to}T00:00:00Z`),
      closedAt: new Date(`${to}T01:00:00Z`),
    });
  });
});
