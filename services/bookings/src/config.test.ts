import { describe, expect, it } from '@jest/globals';
import { commissionOf, config } from './config.ts';

const { COMMISSION_PERCENT: percent, COMMISSION_FIXED_CENTS: cents } = config.shape;

describe('the commission’s settings', () => {
  it.each(['0', '10', '7.25', '0.01', '99.99', '100'])('accept %s percent', (text) => {
    expect(percent.parse(text)).toBe(Number(text));
  });

  it('accept every percentage with two decimals', () => {
    const texts = Array.from({ length: 10_001 }, (_, i) => (i / 100).toFixed(2));

    expect(texts.filter((text) => !percent.safeParse(text).success)).toEqual([]);
  });

  it.each(['-1', '100.01', '7.255', 'ten', '10 %'])('reject %s percent', (text) => {
    expect(percent.safeParse(text).success).toBe(false);
  });

  it.each(['-1', '0.5', '100001', '$1'])('reject %s cents', (text) => {
    expect(cents.safeParse(text).success).toBe(false);
  });

  it('are no terms if both are unset, and terms without a fee if both are 0', () => {
    expect(commissionOf({})).toBeNull();
    expect(commissionOf({ COMMISSION_PERCENT: 0 })).toEqual({ percent: 0, fixedCents: 0 });
    expect(commissionOf({ COMMISSION_FIXED_CENTS: 30 })).toEqual({ percent: 0, fixedCents: 30 });
  });
});
