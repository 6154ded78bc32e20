import { describe, expect, it } from '@jest/globals';
import { RecentAttempts } from './recent-attempts.ts';

describe('RecentAttempts', () => {
  it('gives each further attempt of a network a later rank, without affecting other networks', () => {
    const attempts = new RecentAttempts();

    const ranks = ['10.0.0.1', '10.0.0.1', '10.0.0.2', '10.0.0.1'].map((ip) => attempts.add(ip));

    expect(ranks).toEqual([1, 2, 1, 3]);
  });

  it('counts each attempt also for the surrounding IPv6 /48, as a sixteenth of an attempt', () => {
    const attempts = new RecentAttempts();
    for (let i = 0; i < 64; i++) attempts.add(`2001:db8:1:${(i << 8).toString(16)}::1`);

    expect(attempts.add('2001:db8:1:ffff::1')).toBe(5);
    expect(attempts.add('2001:db8:2:ffff::1')).toBe(1);
  });

  it('does not count an attempt that was removed because it succeeded', () => {
    const attempts = new RecentAttempts();
    attempts.add('10.0.0.1');

    attempts.remove('10.0.0.1');

    expect(attempts.add('10.0.0.1')).toBe(1);
  });
});
