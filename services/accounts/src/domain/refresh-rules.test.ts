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
    ['a token used just now', token({ usedMsAgo: -1 }), 'replay'],
    ['a token used two minutes ago', token({ usedMsAgo: 120_000 }), 'replay'],
    ['a token used longer ago', token({ usedMsAgo: 120_001 }), 'end family'],
    ['a token of an ended session', token({ sessionEnded: true }), 'reject'],
    ['a used token of an ended session', token({ sessionEnded: true, usedMsAgo: 5 }), 'reject'],
    ['a token of an expired session', token({ sessionExpired: true }), 'reject'],
    ['a token of a disabled user', token({ userDisabled: true }), 'reject disabled'],
  ] as const)('decides on a refresh with %s', (_name, presented, verdict) => {
    expect(judgeRefresh(presented)).toBe(verdict);
  });
});
