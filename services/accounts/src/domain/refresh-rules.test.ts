import { describe, expect, it } from '@jest/globals';
import { judgeRefresh, type PresentedToken } from './refresh-rules.ts';

const token = (overrides: Partial<PresentedToken> = {}): PresentedToken => ({
  usedMsAgo: null,
  sessionEnded: false,
  sessionExpired: false,
  userDisabled: false,
  ...overrides,
});

describe('judgeRefresh', () => {
  it.each([
    ['an unused token', token(), 'rotate'],
    ['one used this moment', token({ usedMsAgo: -1 }), 'replay'],
    ['one used two minutes ago', token({ usedMsAgo: 120_000 }), 'replay'],
    ['one used longer ago', token({ usedMsAgo: 120_001 }), 'end family'],
    ['any of an ended session', token({ sessionEnded: true }), 'refuse'],
    ['a used one of an ended session', token({ sessionEnded: true, usedMsAgo: 5 }), 'refuse'],
    ['any of an expired session', token({ sessionExpired: true }), 'refuse'],
    ['any of a disabled user', token({ userDisabled: true }), 'refuse disabled'],
  ] as const)('for %s', (_name, presented, verdict) => {
    expect(judgeRefresh(presented)).toBe(verdict);
  });
});
