import { describe, expect, it } from '@jest/globals';
import { countedPrice, paymentDue } from './booking-price.ts';

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
