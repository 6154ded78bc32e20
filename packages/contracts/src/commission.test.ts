import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { earningsOf, feeOf, feeOfShares, termsOfShare } from './commission.ts';

/** Percentages from 0 to 100 with two decimals. */
const percents = fc.integer({ min: 0, max: 10_000 }).map((hundredths) => hundredths / 100);
const terms = fc.record({ percent: percents, fixedCents: fc.integer({ min: 0, max: 5_000 }) });
const cents = fc.oneof(fc.integer({ min: 0, max: 2_000 }), fc.integer({ min: 0, max: 99_999_999 }));

/** Ten-thousandths of a cent, computed from the percentage's decimal digits. */
const exactly = (
  amountCents: number,
  { percent, fixedCents }: { percent: number; fixedCents: number },
) =>
  BigInt(amountCents) * BigInt(percent.toFixed(2).replace('.', '')) + BigInt(fixedCents) * 10_000n;

describe('feeOf', () => {
  it.each([
    [3_400, 10, 0, 340],
    [3_400, 10, 30, 370],
    [3_405, 10, 0, 340],
    [3_406, 10, 0, 341],
    [1_000, 7.25, 0, 72],
    [2_000, 7.25, 0, 145],
    [99_999_999, 99.99, 0, 99_989_999],
    [20, 10, 30, 20],
    [20, 100, 0, 20],
    [0, 10, 30, 0],
    [1, 10, 0, 0],
  ])('charges of %d cents, at %d %% and %d cents, %d cents', (amount, percent, fixedCents, fee) => {
    expect(feeOf(amount, { percent, fixedCents })).toBe(fee);
  });

  it('charges nothing without terms', () => {
    expect(feeOf(3_400, null)).toBe(0);
  });

  it('is the exact fee to half a cent, which stays with the owner, and at most the amount', () => {
    fc.assert(
      fc.property(cents, terms, (amount, given) => {
        const fee = feeOf(amount, given);
        const exact = exactly(amount, given);

        expect(Number.isInteger(fee)).toBe(true);
        if (fee === amount) expect(exact > BigInt(amount) * 10_000n - 5_000n).toBe(true);
        else {
          const above = exact - BigInt(fee) * 10_000n;
          expect(above > -5_000n && above <= 5_000n).toBe(true);
        }
      }),
      { numRuns: 10_000 },
    );
  });

  it('never lowers the fee or the owner’s part when the amount grows', () => {
    fc.assert(
      fc.property(cents, fc.integer({ min: 0, max: 5_000 }), terms, (amount, more, given) => {
        const [less, greater] = [feeOf(amount, given), feeOf(amount + more, given)];

        expect(greater).toBeGreaterThanOrEqual(less);
        expect(amount + more - greater).toBeGreaterThanOrEqual(amount - less);
      }),
      { numRuns: 10_000 },
    );
  });
});

describe('termsOfShare', () => {
  it('leaves the fixed part to the first share of a booking', () => {
    const given = { percent: 10, fixedCents: 30 };

    expect(termsOfShare(given, { isFirst: true })).toEqual(given);
    expect(termsOfShare(given, { isFirst: false })).toEqual({ percent: 10, fixedCents: 0 });
    expect(termsOfShare(null, { isFirst: false })).toBeNull();
  });
});

describe('feeOfShares', () => {
  it('charges the fixed part once, and rounds the fee of each share', () => {
    expect(feeOfShares([3_405, 1_005], { percent: 10, fixedCents: 30 })).toBe(370 + 100);
    expect(feeOfShares([], { percent: 10, fixedCents: 30 })).toBe(0);
    expect(feeOfShares([3_405], null)).toBe(0);
  });
});

describe('earningsOf', () => {
  it('returns what remains and its fee, or undefined without a fee', () => {
    expect(earningsOf([3_000, 400], { percent: 10, fixedCents: 0 })).toEqual({
      grossCents: 3_400,
      feeCents: 340,
    });
    expect(earningsOf([3_400], { percent: 0, fixedCents: 0 })).toBeUndefined();
    expect(earningsOf([0], { percent: 10, fixedCents: 30 })).toBeUndefined();
    expect(earningsOf([3_400], null)).toBeUndefined();
  });
});
