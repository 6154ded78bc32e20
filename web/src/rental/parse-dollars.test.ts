import { describe, expect, it } from '@jest/globals';
import { parseDollars } from './parse-dollars.ts';

describe('parseDollars', () => {
  it.each([
    ['18', 18],
    ['18.5', 18.5],
    ['18.', 18],
    ['.50', 0.5],
    ['$18.00', 18],
    ['$1,250.50', 1250.5],
    [' 1,250 ', 1250],
    ['12,50', 12.5],
    ['1.250,50 $', 1250.5],
    ['USD 9.99', 9.99],
    ['$18 daily', 18],
    ['0', 0],
  ])('parses the amount %j as %d', (text, dollars) => {
    expect(parseDollars(text)).toBe(dollars);
  });

  it.each(['', '$', 'free', '-5', '18-20', '12.345', '1,25,0', '18 20'])(
    'rejects the amount %j',
    (text) => {
      expect(parseDollars(text)).toBeNull();
    },
  );
});
