import { describe, expect, it } from '@jest/globals';
import { cutsAccess, leavesNoAdmin, mayChange } from './admin-rules.ts';

const admin = { role: 'Admin', disabled: false } as const;
const user = { role: 'User', disabled: false } as const;
const support = { role: 'Support', disabled: false } as const;

describe('leavesNoAdmin', () => {
  it.each([
    ['the last admin is demoted', admin, user, 0, true],
    ['the last admin is disabled', admin, { ...admin, disabled: true }, 0, true],
    ['the last admin becomes a support admin', admin, support, 0, true],
    ['a support admin is demoted', support, user, 0, false],
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

describe('mayChange', () => {
  const off = { ...user, disabled: true };
  it.each([
    ['an administrator appoints an admin', 'Admin', user, support, true],
    ['an administrator disables an admin', 'Admin', support, { ...support, disabled: true }, true],
    ['a support admin disables a member', 'Support', user, off, true],
    ['a support admin promotes themself', 'Support', support, admin, false],
    ['a support admin appoints an admin', 'Support', user, support, false],
    [
      'a support admin disables an administrator',
      'Support',
      admin,
      { ...admin, disabled: true },
      false,
    ],
    ['a support admin demotes an administrator', 'Support', admin, user, false],
  ] as const)('decides whether %s', (_name, by, before, after, expected) => {
    expect(mayChange(by, before, after)).toBe(expected);
  });
});
