import { describe, expect, it } from '@jest/globals';
import { countedPrice, paymentDue } from './booking-price.ts';

describe('paymentDue', () => {
  const daily = { rental_circle: 'daily', quantity: 1 } as const;

  it('multiplies prices in cents, without rounding errors', () => {
    expect(paymentDue({ ...daily, price: 0.1, period: 3 }).total).toBe(0.3);
    expect(paymentDue({ ...daily, price: 12.5, period: 3, quantity: 2 }).total).toBe(75);
  });

  it('applies only the discount for the longest length that the rental reaches', () => {
    const discounts = [
      { days: 3 as const, percent: 10 },
      { days: 7 as const, percent: 20 },
    ];
    const of = (period: number, circle: 'daily' | 'hourly' = 'daily') =>
      paymentDue({ ...daily, rental_circle: circle, price: 9.99, period, discounts });

    expect(of(2)).toEqual({ total: 19.98, discount: 0, percent: 0 });
    expect(of(3)).toEqual({ total: 26.97, discount: 3, percent: 10 });
    expect(of(8)).toEqual({ total: 63.94, discount: 15.98, percent: 20 });
    expect([of(71, 'hourly').percent, of(72, 'hourly').percent]).toEqual([0, 10]);
  });
});

describe('countedPrice', () => {
  it.each([
    [2, 1, '$12.50 × 2 days'],
    [1, 1, '$12.50 × 1 day'],
    [2, 3, '$12.50 × 2 days × 3'],
  ])('formats %i days and %i units as %s', (period, quantity, words) => {
    expect(countedPrice('daily', { price: 12.5, period, quantity })).toBe(words);
  });
});
