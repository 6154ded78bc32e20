import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { divide } from './divide.ts';

describe('divide', () => {
  it.each([
    [30, [50, 30, 20], [15, 9, 6]],
    [100, [1, 1, 1], [34, 33, 33]],
    [1, [1, 2], [0, 1]],
    [0, [1, 2], [0, 0]],
    [5, [0, 0], [0, 0]],
    [5, [], []],
  ])('divides %d in proportion to %j', (cents, weights, expected) => {
    expect(divide(cents, weights)).toEqual(expected);
  });

  it('gives each weight its proportion within a cent, and no more than the weight', () => {
    const weights = fc.array(fc.nat(1_000_000), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(weights, fc.double({ min: 0, max: 1, noNaN: true }), (all, fraction) => {
        const total = all.reduce((sum, one) => sum + one, 0);
        const cents = Math.floor(total * fraction);

        const parts = divide(cents, all);

        expect(parts.reduce((sum, one) => sum + one, 0)).toBe(cents);
        parts.forEach((part, index) => {
          const weight = all[index] ?? 0;
          expect(part).toBeLessThanOrEqual(weight);
          expect(Math.abs(part - (cents * weight) / (total || 1))).toBeLessThan(1);
        });
      }),
    );
  });
});
