import { describe, expect, it } from '@jest/globals';
import { slowdownMs } from './login-slowdown.ts';

describe('slowdownMs', () => {
  it.each([
    [1, 1, 0],
    [20, 1, 0],
    [30, 1, 100],
    [40, 1, 200],
    [10_000, 1, 1_500],
    [10_000, 1_000, 0],
  ])('delays login attempt %d with RATE_LIMIT_FACTOR %d by %d ms', (attempts, factor, ms) => {
    expect(slowdownMs(attempts, factor)).toBe(ms);
  });
});
