import { describe, expect, it } from '@jest/globals';
import { cutsAccess, leavesNoAdmin } from './admin-rules.ts';

const admin = { role: 'Admin', disabled: false } as const;
const user = { role: 'User', disabled: false } as const;

describe('leavesNoAdmin', () => {
  it.each([
    ['the last admin is demoted', admin, user, 0, true],
    ['the last admin is disabled', admin, { ...admin, disabled: true }, 0, true],
    ['another admin is left', admin, user, 1, false],
    ['a disabled admin is demoted', { ...admin, disabled: true }, user, 0, false],
    ['a user is disabled', user, { ...user, disabled: true }, 0, false],
  ] as const)(
    'detects whether an admin remains when %s',
    (_name, before, after, others, expected) => {
      expect(leavesNoAdmin(before, after, others)).toBe(expected);
    },
  );
});

describe('cutsAccess', () => {
  it.each([
    ['promoted', user, admin, true],
    ['demoted', admin, user, true],
    ['disabled', user, { ...user, disabled: true }, true],
    ['enabled again', { ...user, disabled: true }, user, false],
    ['left alone', user, user, false],
  ] as const)(
    'decides whether to invalidate the tokens of a user who is %s',
    (_name, before, after, expected) => {
      expect(cutsAccess(before, after)).toBe(expected);
    },
  );
});
