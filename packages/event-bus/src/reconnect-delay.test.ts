import { describe, expect, it } from '@jest/globals';
import { reconnectDelayMs } from './reconnect-delay.ts';

describe('the delay before a reconnect', () => {
  it('has a random upper half, so that replicas spread out', () => {
    const drawn = [0, 0.5, 1].map((random) => reconnectDelayMs(9, () => random));

    expect(drawn).toEqual([2_500, 3_750, 5_000]);
  });

  it('differs between replicas that lost the broker at the same instant', () => {
    const drawn = Array.from({ length: 100 }, () => reconnectDelayMs(0));

    expect(new Set(drawn).size).toBeGreaterThan(90);
  });

  it('grows with each attempt, up to five seconds', () => {
    const drawn = [0, 1, 2, 3, 4, 5, 6, 1_000].map((attempt) => reconnectDelayMs(attempt, () => 1));

    expect(drawn).toEqual([100, 250, 500, 1_000, 2_000, 5_000, 5_000, 5_000]);
  });
});
