import { describe, expect, it } from '@jest/globals';
import { receiptNumber } from '@lendtools/contracts';
import fc from 'fast-check';
import { includedTaxCents, newReceiptNumber } from './receipt.ts';

describe('includedTaxCents', () => {
  it.each([
    [10_825, 8.25, 825],
    [11_900, 19, 1_900],
    [1, 50, 0],
    // Exactly half a cent: 3 * 20 / 120.
    [3, 20, 1],
    [99_999_999, 8.875, 8_151_550],
  ])('of %d cents with %d %% is %d cents', (cents, percent, tax) => {
    expect(includedTaxCents(cents, percent)).toBe(tax);
  });

  it('is the difference to the net price, to half a cent', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e8 }), fc.integer({ min: 1, max: 50_000 }), (c, t) => {
        const tax = includedTaxCents(c, t / 1_000);
        expect(Math.abs((c - tax) * (1 + t / 100_000) - c)).toBeLessThanOrEqual(0.5 * 1.5 + 1e-6);
      }),
    );
  });
});

describe('newReceiptNumber', () => {
  it('is short, documented and rarely repeated', () => {
    const numbers = Array.from({ length: 1_000 }, () => newReceiptNumber('R'));

    for (const number of numbers) expect(receiptNumber.safeParse(number).success).toBe(true);
    expect(new Set(numbers).size).toBe(1_000);
    expect(newReceiptNumber('C')).toMatch(/^C-/);
  });
});
