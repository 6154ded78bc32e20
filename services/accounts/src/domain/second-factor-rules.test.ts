import { describe, expect, it } from '@jest/globals';
import { factorsOf, isCounterBehind } from './second-factor-rules.ts';

describe('isCounterBehind', () => {
  it.each([
    [1, 0, false],
    [8, 7, false],
    [0, 0, false],
    [7, 7, true],
    [6, 7, true],
    [0, 7, true],
  ])('of %i after %i is %s', (presented, stored, isBehind) => {
    expect(isCounterBehind(presented, stored)).toBe(isBehind);
  });
});

describe('factorsOf', () => {
  const since = new Date();

  it.each([
    [null, 0, []],
    [since, 0, ['totp', 'recovery-code']],
    [null, 2, ['passkey', 'recovery-code']],
    [since, 1, ['totp', 'passkey', 'recovery-code']],
  ])('of an app since %s and %i passkeys are %j', (totpSince, passkeyCount, factors) => {
    expect(factorsOf({ totpSince, passkeyCount, recoveryCodesLeft: 0 })).toEqual(factors);
  });
});
